import type { LintContext } from '../lint/rule.ts';
import { type GivenArguments, givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Call } from '../python/ast.ts';

export const wrapperModule = 'torch.distributed.algorithms._checkpoint.checkpoint_wrapper';
const wrapper = `${wrapperModule}.checkpoint_wrapper`;

/** A call that gives torch's `checkpoint_wrapper` its options: the call itself, or a `functools.partial` of it. */
export interface WrapperCall {
  readonly call: Call;
  /** As written in this call: what a `partial` gave ahead counts where that stands. */
  readonly given: GivenArguments;
  /** With `checkpoint_fn` the options go to that function, and torch's own are not asked. */
  readonly hasOwnFunction: boolean;
}

export function wrapperCalls({ calls, names }: LintContext): readonly WrapperCall[] {
  const direct = calls.to(wrapper).map(({ call, given }) => ({
    call,
    given: givenArguments([], call.arguments),
    hasOwnFunction: hasOwnFunction(given, 2),
  }));
  const partials = calls.to('functools.partial').flatMap(({ call }) => {
    const [first, ...rest] = call.arguments;
    if (first?.kind !== 'positional') return [];
    const { targets, complete } = names.resolve(first.value);
    const [only] = targets;
    if (!complete || targets.length !== 1 || only?.qualified !== wrapper) return [];
    const given = givenArguments([], rest);
    return [{ call, given, hasOwnFunction: hasOwnFunction(givenArguments(only.preset, rest), 2) }];
  });
  return [...direct, ...partials];
}

function hasOwnFunction(given: GivenArguments, position: number): boolean {
  const argument = keywordNamed(given, 'checkpoint_fn') ?? given.positional[position];
  if (argument === undefined) return given.openPositional || given.openKeywords;
  return !(argument.value.kind === 'constant' && argument.value.value === null);
}

export const applyActivationCheckpointing = [
  `${wrapperModule}.apply_activation_checkpointing`,
  `${wrapperModule}.apply_activation_checkpointing_wrapper`,
];

/** How this file may write `CheckpointImpl`, which stands in the wrapper's own module; undefined where it is not at hand. */
export function checkpointImplAs({ names, module }: LintContext, call: Call): string | undefined {
  const { callee } = call;
  if (callee.kind === 'attribute' && names.qualifiedName(callee) === wrapper) {
    return `${module.text.slice(callee.object.start, callee.object.end)}.CheckpointImpl`;
  }
  const [binding, ...others] = names.moduleBindings('CheckpointImpl');
  const isImported = binding?.to === 'import' && binding.qualified === `${wrapperModule}.CheckpointImpl`;
  return isImported && others.length === 0 ? 'CheckpointImpl' : undefined;
}
