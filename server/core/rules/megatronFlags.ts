import { type FlagList, flagGiven, type GivenFlag } from '../config/flags.ts';
import type { Span } from '../text/span.ts';

export interface FlagProblem {
  readonly at: Span;
  readonly message: string;
}

/**
 * What Megatron-LM's own checks say about the recomputation flags of one command line, from a shell script or a list in
 * Python. What is missing is told only where the whole command line is known.
 * Source: Megatron-LM, `validate_args` and `TransformerConfig.__post_init__`.
 */
export function recomputeProblems(list: FlagList): FlagProblem[] {
  const given = (name: string): GivenFlag | undefined => flagGiven(list, name);
  const granularity = given('--recompute-granularity');
  const method = given('--recompute-method');
  const layers = given('--recompute-num-layers');
  const short = given('--recompute-activations');
  const distribute = given('--distribute-saved-activations');
  const problems: FlagProblem[] = [];
  const add = (flag: GivenFlag, message: string): number => problems.push({ at: flag.at, message });

  if (isOutside(granularity?.value, ['full', 'selective']) && granularity !== undefined) {
    add(granularity, `argparse refuses --recompute-granularity ${granularity.value}: it is full or selective`);
    return problems;
  }
  if (isOutside(method?.value, ['uniform', 'block']) && method !== undefined) {
    add(method, `argparse refuses --recompute-method ${method.value}: it is uniform or block`);
    return problems;
  }
  // The short form sets the granularity after all flags are read, so it wins over one that is given.
  const selective = short ?? (granularity?.value === 'selective' ? granularity : undefined);
  const full = selective === undefined && granularity?.value === 'full' ? granularity : undefined;
  if (selective !== undefined) {
    const because = short === undefined ? 'selective' : '--recompute-activations, which means selective,';
    if (method !== undefined) {
      add(method, `raises AssertionError: recompute method is not yet supported for ${because} granularity`);
    } else if (layers !== undefined) {
      add(layers, `raises ValueError: recompute_num_layers must be None with ${because} granularity`);
    } else if (short !== undefined && granularity?.value === 'full') {
      add(granularity, 'has no effect: --recompute-activations, which means selective, wins over it');
    }
  }
  if (full !== undefined && list.complete) {
    if (method === undefined) {
      add(full, 'raises ValueError: full recomputation needs --recompute-method uniform or block');
    } else if (layers === undefined) {
      add(full, 'raises ValueError: full recomputation needs --recompute-num-layers');
    }
  }
  if (list.complete && granularity === undefined && short === undefined) {
    const idle = method ?? layers;
    if (idle !== undefined) add(idle, 'recomputes nothing: without --recompute-granularity it has no effect');
  }
  if (distribute !== undefined) problems.push(...distributeProblems(list, distribute, selective));
  return problems;
}

function distributeProblems(list: FlagList, distribute: GivenFlag, selective: GivenFlag | undefined): FlagProblem[] {
  const parallel = flagGiven(list, '--tensor-model-parallel-size');
  const alone = parallel === undefined ? list.complete : parallel.value === '1';
  const full = flagGiven(list, '--recompute-granularity');
  const say = (message: string): FlagProblem[] => [{ at: distribute.at, message }];
  if (alone) {
    return say('raises AssertionError: without --tensor-model-parallel-size above 1 there is nobody to share with');
  }
  if (selective !== undefined || (list.complete && full === undefined)) {
    return say('raises AssertionError: distributed recompute activations needs --recompute-granularity full');
  }
  if (full !== undefined && flagGiven(list, '--sequence-parallel') !== undefined) {
    return say('raises ValueError: distribute_saved_activations must be false when sequence parallel is enabled');
  }
  return [];
}

const isOutside = (value: string | undefined, choices: readonly string[]): boolean =>
  value !== undefined && !choices.includes(value);
