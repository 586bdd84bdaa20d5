import { type FlagList, flagGiven } from '../config/flags.ts';
import type { Severity } from '../lint/rule.ts';
import type { Span } from '../text/span.ts';

export interface FlagProblem {
  readonly at: Span;
  readonly severity: Severity;
  readonly message: string;
}

/**
 * What Megatron-LM refuses or ignores among its recomputation flags, as `arguments.py` and `TransformerConfig` check them.
 * What is missing is only said of a list that nothing can be added to.
 */
export function recomputeProblems(list: FlagList): readonly FlagProblem[] {
  const granularity = flagGiven(list, '--recompute-granularity');
  const selectively = flagGiven(list, '--recompute-activations');
  const method = flagGiven(list, '--recompute-method');
  const layers = flagGiven(list, '--recompute-num-layers');
  const distribute = flagGiven(list, '--distribute-saved-activations');
  const sequence = flagGiven(list, '--sequence-parallel');
  const chosen = granularity ?? selectively;
  const isSelective = selectively !== undefined || granularity?.value === 'selective';
  const isFull = granularity?.value === 'full' && !isSelective;
  const why = selectively === undefined ? 'selective' : '--recompute-activations means selective, which';
  const problems: FlagProblem[] = [];
  const add = (at: Span | undefined, severity: Severity, message: string): void => {
    if (at !== undefined) problems.push({ at, severity, message });
  };
  const misspelt = choices.find(([name, values]) => {
    const value = flagGiven(list, name)?.value;
    return value !== undefined && !values.includes(value);
  });
  if (misspelt !== undefined) {
    const [name, values] = misspelt;
    const flag = flagGiven(list, name);
    add(flag?.at, 'error', `argparse refuses ${name} ${flag?.value}: it is ${values.join(' or ')}`);
    return problems;
  }
  if (selectively !== undefined && granularity?.value === 'full') {
    add(granularity.at, 'warning', '--recompute-activations means selective and replaces this full recomputation');
  }
  if (isSelective) {
    add(method?.at, 'error', `raises AssertionError: ${why} takes no --recompute-method`);
    add(layers?.at, 'error', `raises ValueError: ${why} takes no --recompute-num-layers`);
  }
  if (isFull && list.complete) {
    if (method === undefined)
      add(granularity.at, 'error', 'raises ValueError: full recomputation needs --recompute-method uniform or block');
    else if (layers === undefined)
      add(granularity.at, 'error', 'raises ValueError: full recomputation needs --recompute-num-layers');
  }
  if (chosen === undefined && list.complete) {
    const idle = method ?? layers;
    add(idle?.at, 'warning', 'nothing is recomputed: this needs --recompute-granularity full');
  }
  if (distribute !== undefined) {
    if (sequence !== undefined && chosen !== undefined)
      add(
        distribute.at,
        'error',
        'raises ValueError: saved activations cannot be distributed under --sequence-parallel',
      );
    else if (flagGiven(list, '--tensor-model-parallel-size')?.value === '1')
      add(
        distribute.at,
        'error',
        'raises AssertionError: with --tensor-model-parallel-size 1 there is nobody to share saved activations with',
      );
    else if (isSelective)
      add(distribute.at, 'error', 'raises AssertionError: only full recomputation can distribute saved activations');
  }
  return problems;
}

const choices: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['--recompute-granularity', ['full', 'selective']],
  ['--recompute-method', ['uniform', 'block']],
];
