import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command was called wrongly; the message is one line that names the flag. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type FlagTable = Readonly<Record<string, FlagKind>>;
/** `text` takes a value; `texts` too, any number of times; `switch` takes none. */
export type FlagKind = 'text' | 'texts' | 'switch';

export interface GivenFlags<Table extends FlagTable> {
  readonly values: {
    readonly [Flag in keyof Table]?: Table[Flag] extends 'switch'
      ? true
      : Table[Flag] extends 'texts'
        ? readonly string[]
        : string;
  };
  readonly positionals: readonly string[];
}

/**
 * Reads arguments strictly. `parseArgs` finds the tokens and this checks them, because its own messages advise on quoting
 * where a person has mistyped a flag.
 * @throws UsageError
 */
export function readFlags<Table extends FlagTable>(args: readonly string[], table: Table): GivenFlags<Table> {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(table).map(([flag, kind]) => [flag, { type: kind === 'switch' ? 'boolean' : 'string' }]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const values: Record<string, string | true | string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const kind = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (kind === undefined || !token.rawName.startsWith('--')) throw new UsageError(`unknown flag ${token.rawName}`);
    if (kind === 'switch') {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
      values[token.name] = true;
    } else {
      const value = givenValue(token);
      const before = values[token.name];
      if (kind === 'texts') values[token.name] = Array.isArray(before) ? [...before, value] : [value];
      else if (before !== undefined) throw new UsageError(`${token.rawName} is given twice`);
      else values[token.name] = value;
    }
  }
  return { values: values as GivenFlags<Table>['values'], positionals };
}

function givenValue(token: { rawName: string; value: string | undefined; inlineValue: boolean | undefined }): string {
  const { rawName, value, inlineValue } = token;
  const isFlag = inlineValue !== true && value !== undefined && /^-(?!\d)./.test(value);
  if (value === undefined || value === '' || isFlag) throw new UsageError(`${rawName} needs a value`);
  return value;
}

/** @throws UsageError where `value` is none of `choices` */
export function choice<T extends string>(
  flag: string,
  value: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const chosen = choices.find((each) => each === value);
  if (chosen === undefined) throw new UsageError(`${flag} ${value}: choose one of ${choices.join(', ')}`);
  return chosen;
}

/** @throws UsageError where `value` is not a whole number from 1 on */
export function wholeNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,12}$/.test(value) ? Number(value) : 0;
  if (number < 1) throw new UsageError(`${flag} ${value}: not a whole number from 1 on`);
  return number;
}
