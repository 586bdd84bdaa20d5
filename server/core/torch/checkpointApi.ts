import type { NameKnowledge } from '../python/names.ts';
import { isBefore, type Version } from './version.ts';

/** The functions of `torch.utils.checkpoint` that make a region. */
export type CheckpointFunction = 'checkpoint' | 'checkpoint_sequential';

export const checkpointFunctions: ReadonlyMap<string, CheckpointFunction> = new Map([
  ['torch.utils.checkpoint.checkpoint', 'checkpoint'],
  ['torch.utils.checkpoint.checkpoint_sequential', 'checkpoint_sequential'],
]);

export const noopContextFn = 'torch.utils.checkpoint.noop_context_fn';

/**
 * Keywords `checkpoint` takes itself; any other goes on to the function. `function` can be given by keyword, since it is an
 * ordinary first parameter. Read from the signatures of torch 1.11 to 2.14.
 */
export const checkpointKeywords: ReadonlySet<string> = new Set([
  'function',
  'use_reentrant',
  'preserve_rng_state',
  'context_fn',
  'determinism_check',
  'debug',
  'early_stop',
  'respect_saved_tensors_hooks',
]);

/** All keywords of `checkpoint_sequential`; it passes none on and raises for any other, in both variants. */
export const sequentialKeywords: ReadonlySet<string> = new Set([
  'functions',
  'segments',
  'input',
  'use_reentrant',
  'preserve_rng_state',
]);

/** Where `use_reentrant` stands among `checkpoint_sequential`'s positional parameters. */
export const sequentialUseReentrantPosition = 3;

/** Before 1.11 there was no `use_reentrant` at all. */
export const hasUseReentrant = (torch: Version | undefined): boolean => !isBefore(torch, 1, 11);
/** Since 1.13 the non-reentrant variant passes keyword arguments on to the function. */
export const nonReentrantTakesKeywords = (torch: Version | undefined): boolean => !isBefore(torch, 1, 13);
/** Since 2.1 `context_fn` and `debug` exist, and an absent `use_reentrant` is warned about. */
export const hasContextFn = (torch: Version | undefined): boolean => !isBefore(torch, 2, 1);

/** Names that star imports bring, and calls that hand their argument through; enough to follow names in training code. */
export const torchKnowledge: NameKnowledge = {
  starExports: new Map([
    [
      'torch.utils.checkpoint',
      new Set([
        'checkpoint',
        'checkpoint_sequential',
        'CheckpointError',
        'CheckpointFunction',
        'CheckpointPolicy',
        'SelectiveCheckpointContext',
        'create_selective_checkpoint_contexts',
        'noop_context_fn',
        'set_checkpoint_early_stop',
        'set_checkpoint_debug_enabled',
      ]),
    ],
  ]),
  passThrough: new Set([
    'staticmethod',
    'torch.compiler.disable',
    'torch._dynamo.disable',
    'torch.compiler.allow_in_graph',
  ]),
};
