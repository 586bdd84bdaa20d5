import { type GivenArguments, givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Expression } from '../python/ast.ts';
import { checkpointFunctions } from '../torch/checkpointApi.ts';
import { type Variant, variantGiven } from './checkpointingReading.ts';
import { variantOfWrapper } from './checkpointingWrappers.ts';
import type { CallHere, Source, Surroundings } from './source.ts';

/** A call that runs a function as a region. */
export interface RegionCall {
  readonly here: CallHere;
  /** What it stands in; that of the caller where a function hands on what it is given. */
  readonly around: Surroundings;
  /** `checkpoint`, `checkpoint_sequential`, `checkpoint_seq`, `checkpoint_wrapper`, `deepspeed.checkpointing.checkpoint`. */
  readonly mechanism: string;
  /** A wrapper is put around a module once, when the model is made. */
  readonly kind: 'function' | 'wrapper' | 'segments' | 'every';
  readonly given: GivenArguments;
  /** What it runs; undefined where that stands in a `*splat`. */
  readonly run: Expression | undefined;
  readonly variant: Variant | undefined;
  readonly offloaded: boolean;
}

/** Without a positional argument a call only configures a later one. */
export function regionCallAt(source: Source, here: CallHere): RegionCall | undefined {
  const { target, call } = here;
  if (target?.qualified === undefined) return undefined;
  const known = knownCall(target.qualified);
  if (known === undefined) return undefined;
  const given = givenArguments(target.preset, call.arguments);
  const run = (
    keywordNamed(given, 'function') ??
    keywordNamed(given, 'functions') ??
    keywordNamed(given, 'module') ??
    given.positional[0]
  )?.value;
  if (run === undefined && !given.openPositional) return undefined;
  return {
    here,
    around: here.around,
    ...known,
    given,
    run,
    variant:
      known.kind === 'wrapper' && known.variant === undefined
        ? variantOfWrapper(source, [...target.preset, ...call.arguments])
        : variantOf(source, known, given),
    offloaded: isOffloaded(source, known, given),
  };
}

function isOffloaded(source: Source, known: KnownCall, given: GivenArguments): boolean {
  const asked = known.kind === 'wrapper' ? keywordNamed(given, 'offload_to_cpu')?.value : given.positional[1]?.value;
  return known.takesOffload && asked !== undefined && source.read(asked)?.value === true;
}

interface KnownCall {
  readonly mechanism: string;
  readonly kind: RegionCall['kind'];
  /** What it is where `use_reentrant` is not given; undefined where the library's version decides. */
  readonly variant: Variant | undefined;
  readonly takesVariant: boolean;
  readonly takesOffload: boolean;
}

function knownCall(qualified: string): KnownCall | undefined {
  const torch = checkpointFunctions.get(qualified);
  const common = { kind: 'function', variant: 'reentrant', takesVariant: false, takesOffload: false } as const;
  if (torch === 'checkpoint_sequential') return { ...common, mechanism: torch, kind: 'segments', takesVariant: true };
  // Without `use_reentrant` torch warns and takes the reentrant variant, in every version so far.
  if (torch !== undefined) return { ...common, mechanism: torch, takesVariant: true };
  if (/^deepspeed\.(\w+\.)*checkpointing\.checkpoint$/.test(qualified))
    return { ...common, mechanism: 'deepspeed.checkpointing.checkpoint' };
  if (/^deepspeed\.(\w+\.)*checkpointing\.non_reentrant_checkpoint$/.test(qualified))
    return { ...common, mechanism: 'deepspeed.checkpointing.non_reentrant_checkpoint', variant: 'non-reentrant' };
  if (/^timm\.(\w+\.)*checkpoint_seq$/.test(qualified))
    return { ...common, mechanism: 'checkpoint_seq', kind: 'every', variant: undefined };
  if (/(^|\.)(tensor_parallel(\.random)?|mpu(\.random)?)\.checkpoint$/.test(qualified))
    return { ...common, mechanism: 'tensor_parallel.checkpoint' };
  if (/^colossalai\.(\w+\.)*checkpoint$/.test(qualified))
    return { ...common, mechanism: 'colossalai checkpoint', takesVariant: true, takesOffload: true };
  if (/^torch\.distributed\.algorithms\._checkpoint\.checkpoint_wrapper\.checkpoint_wrapper$/.test(qualified))
    return { ...common, mechanism: 'checkpoint_wrapper', kind: 'wrapper', variant: undefined };
  if (/^torch\.distributed\._composable\.(\w+\.)?checkpoint$/.test(qualified))
    return { ...common, mechanism: 'composable checkpoint', kind: 'wrapper', variant: 'non-reentrant' };
  if (/^(fairscale\.nn|fairseq\.modules)\.(\w+\.)*checkpoint_wrapper$/.test(qualified))
    return { ...common, mechanism: 'checkpoint_wrapper', kind: 'wrapper', takesOffload: true };
  return undefined;
}

function variantOf(source: Source, { variant, takesVariant }: KnownCall, given: GivenArguments): Variant | undefined {
  if (!takesVariant) return variant;
  const asked = keywordNamed(given, 'use_reentrant');
  return asked === undefined && given.openKeywords ? undefined : variantGiven(source, asked?.value, variant);
}
