import type { Argument, Expression } from './ast.ts';

/** Arguments of a call with those that `functools.partial` gave ahead, and with literal `**{…}` taken apart. */
export interface GivenArguments {
  /** Those whose position is certain: everything before a `*splat`. */
  readonly positional: readonly GivenArgument[];
  readonly keywords: readonly GivenKeyword[];
  /** A `*values` may add positional arguments. */
  readonly openPositional: boolean;
  /** A `**values` whose keys are not known may add any keyword. */
  readonly openKeywords: boolean;
}

export interface GivenArgument {
  readonly value: Expression;
  /** Given ahead by `functools.partial`, somewhere else than in this call. */
  readonly preset: boolean;
}

export interface GivenKeyword extends GivenArgument {
  readonly name: string;
  /** `name=value`, or the whole `**{…}` it was found in. */
  readonly argument: Argument;
}

export function givenArguments(preset: readonly Argument[], own: readonly Argument[]): GivenArguments {
  const positional: GivenArgument[] = [];
  const keywords = new Map<string, GivenKeyword>();
  let openPositional = false;
  let openKeywords = false;
  const take = (argument: Argument, isPreset: boolean): void => {
    if (argument.kind === 'positional') {
      if (!openPositional) positional.push({ value: argument.value, preset: isPreset });
    } else if (argument.kind === 'keyword') {
      keywords.set(argument.name.name, { name: argument.name.name, value: argument.value, argument, preset: isPreset });
    } else if (argument.of === 'positional') {
      openPositional = true;
    } else {
      const entries = literalEntries(argument.value);
      if (entries === undefined) openKeywords = true;
      else for (const { name, value } of entries) keywords.set(name, { name, value, argument, preset: isPreset });
    }
  };
  for (const argument of preset) take(argument, true);
  for (const argument of own) take(argument, false);
  return { positional, keywords: [...keywords.values()], openPositional, openKeywords };
}

export const keywordNamed = (given: GivenArguments, name: string): GivenKeyword | undefined =>
  given.keywords.find((keyword) => keyword.name === name);

/** The pairs of `{"name": value}` or `dict(name=value)`; undefined as soon as one key is not a plain text. */
export function literalEntries(expression: Expression): { name: string; value: Expression }[] | undefined {
  if (expression.kind === 'dictionary') {
    const entries = expression.entries.map(({ key, value }) =>
      key?.kind === 'string' && key.value !== undefined ? { name: key.value, value } : undefined,
    );
    return entries.every((entry) => entry !== undefined) ? entries : undefined;
  }
  if (expression.kind !== 'call' || expression.callee.kind !== 'name' || expression.callee.name !== 'dict')
    return undefined;
  const entries = expression.arguments.map((argument) =>
    argument.kind === 'keyword' ? { name: argument.name.name, value: argument.value } : undefined,
  );
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}
