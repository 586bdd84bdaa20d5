import { givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Argument, Expression } from '../python/ast.ts';
import { type Wrapped, wrappedByCheck, wrappedByPolicy } from './checkpointingClasses.ts';
import { memberFlag } from './checkpointingFlags.ts';
import { isSelective, selectiveBy } from './checkpointingPolicy.ts';
import {
  type CheckpointingReading,
  checkpointed,
  none,
  reading,
  supposed,
  underGuard,
  type Variant,
  variantGiven,
  writtenAt,
} from './checkpointingReading.ts';
import type { CheckpointingNow } from './facts.ts';
import { type CallHere, derivedAt, originOf, type Source } from './source.ts';
import { conditionsAround, guard } from './trainingGuard.ts';

const wrapperModule = 'torch.distributed.algorithms._checkpoint.checkpoint_wrapper';
const apply = new RegExp(`^${wrapperModule.replaceAll('.', '\\.')}\\.apply_activation_checkpointing(_wrapper)?$`);

/** `apply_activation_checkpointing`: which modules it wraps, and what with. */
export function checkpointingByApply(source: Source, layers: number | undefined): CheckpointingReading | undefined {
  const judged = source.calls
    .filter(({ target }) => apply.test(target?.qualified ?? ''))
    .map((here) => {
      const guarded = guard(source, conditionsAround(source, here.around), memberFlag(source));
      const read = ofApply(source, here, layers);
      const at = { what: 'apply_activation_checkpointing()', at: here.call };
      return { isOff: guarded.kind === 'off', read: underGuard(source, read, guarded, at) };
    });
  return (judged.find(({ isOff }) => !isOff) ?? judged[0])?.read;
}

function ofApply(source: Source, { call, target }: CallHere, layers: number | undefined): CheckpointingReading {
  const given = givenArguments(target?.preset ?? [], call.arguments);
  const mechanism = 'apply_activation_checkpointing';
  const wrapper = (keywordNamed(given, 'checkpoint_wrapper_fn') ?? given.positional[1])?.value;
  const wrapping =
    wrapper === undefined ? wrapped({ variant: 'non-reentrant' }) : wrappingBy(source, wrapper, mechanism);
  if ('fact' in wrapping) return wrapping;
  const value = checkpointed(mechanism, wrapping.said);
  const check = (keywordNamed(given, 'check_fn') ?? given.positional[2])?.value;
  const policy = (keywordNamed(given, 'auto_wrap_policy') ?? given.positional[3])?.value;
  const covered: Wrapped =
    check !== undefined
      ? wrappedByCheck(source, check)
      : policy !== undefined
        ? wrappedByPolicy(source, policy)
        : given.openKeywords || given.openPositional
          ? { kind: 'unknown', words: 'what ** or * gives' }
          : { kind: 'everything' };
  return ofWrapped(source, call, value, covered, layers);
}

/** What wrapping some modules comes to. */
export function ofWrapped(
  source: Source,
  at: Expression,
  value: CheckpointingNow,
  covered: Wrapped,
  layers: number | undefined,
): CheckpointingReading {
  const line = source.lineOf(at);
  const mechanism = value.mechanism ?? 'checkpoint_wrapper';
  switch (covered.kind) {
    case 'everything':
      return reading(value, derivedAt(source, at, 'every module is wrapped, at every depth'), [
        `line ${line} wraps every module at every depth; it is counted as every layer by itself`,
      ]);
    case 'part':
      return supposed(
        none,
        `line ${line} checkpoints only ${covered.words}, a part of a layer, which has no account; it is counted as none`,
      );
    case 'unknown':
      return supposed(
        value,
        `which modules line ${line} checkpoints (${covered.words}) could not be read; it is counted as every layer`,
      );
    case 'layers': {
      const { every, share } = covered;
      if (every !== undefined)
        return reading(
          checkpointed(mechanism, { ...value, every: Number(every.value) }),
          originOf(source, every),
          [],
          every.options,
        );
      if (share === undefined) return writtenAt(source, at, value);
      const part = Number(share.value);
      const cycle = 1 / part;
      if (Number.isInteger(cycle))
        return reading(
          checkpointed(mechanism, { ...value, every: cycle }),
          originOf(source, { ...share, from: share.from ?? `a share of ${part}` }),
          [],
          share.options,
        );
      if (layers === undefined)
        return supposed(value, `line ${line} checkpoints a share of ${part} of layers whose number is not known`);
      // A block is taken as often as the running share passes a half, as people write it.
      const count = Math.floor(layers * part + 0.5);
      return reading(
        checkpointed(mechanism, { ...value, layers: count }),
        derivedAt(source, share.at, `a share of ${part} of ${layers} layers`),
        [],
        share.options,
      );
    }
  }
}

const wrapped = (said: { readonly variant?: Variant | undefined; readonly offloaded?: boolean }) => ({ said });

/** `partial(checkpoint_wrapper, checkpoint_impl=…)`, `offload_wrapper`, or a function of the file that calls one of them. */
function wrappingBy(source: Source, wrapper: Expression, mechanism: string) {
  const { targets } = source.names.resolve(wrapper);
  const [target] = targets;
  if (targets.length !== 1 || target === undefined) return wrapped({ variant: undefined });
  if (target.qualified === `${wrapperModule}.offload_wrapper`)
    return supposed(none, `line ${source.lineOf(wrapper)} keeps activations in host memory, which has no account`);
  const given = target.preset;
  const context = givenNamed(given, 'context_fn');
  if (isSelective(source, context)) return selectiveBy(source, context, mechanism);
  return wrapped({
    variant: target.qualified === `${wrapperModule}.checkpoint_wrapper` ? variantOfWrapper(source, given) : undefined,
  });
}

const givenNamed = (given: readonly Argument[], name: string): Expression | undefined =>
  given.findLast((each) => each.kind === 'keyword' && each.name.name === name)?.value;

/** torch's wrapper takes the variant from `checkpoint_impl`, and hands anything on to a `checkpoint_fn` of the user's. */
export function variantOfWrapper(source: Source, given: readonly Argument[]): Variant | undefined {
  const own = givenNamed(given, 'use_reentrant');
  if (own !== undefined) return variantGiven(source, own, undefined);
  const kind = givenNamed(given, 'checkpoint_impl') ?? given.filter((each) => each.kind === 'positional')[1]?.value;
  if (kind === undefined) return given.some((each) => each.kind === 'splat') ? undefined : 'non-reentrant';
  const roots = source.rootsOf(kind);
  const name = roots.length === 1 && roots[0]?.kind === 'attribute' ? roots[0].attribute.name : '';
  return name === 'NO_REENTRANT' ? 'non-reentrant' : name === 'REENTRANT' ? 'reentrant' : undefined;
}
