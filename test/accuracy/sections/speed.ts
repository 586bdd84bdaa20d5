import type { ModelShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';
import type { Bar, Section } from '../comparison.ts';
import { plainRun } from '../engine.ts';

/** Median milliseconds of many rounds on this machine; no two rounds ask for the same sizes. */
export function speed(rounds = 60): Section {
  const llama = knownModel('meta-llama/Meta-Llama-3-8B')?.shape;
  const tall = knownModel('meta-llama/Meta-Llama-3-70B')?.shape;
  if (!llama || !tall) throw new Error('the registry has lost its Llamas');
  return {
    title: 'Speed',
    comparisons: [],
    bars: [
      bar(`one estimate of ${llama.layers} layers`, 2, rounds, (round) => estimate(llama, round)),
      bar(`all strategies and all segments of ${tall.layers} layers`, 50, rounds, (round) => estimate(tall, round)),
    ],
  };
}

const estimate = (model: ModelShape, round: number): unknown =>
  estimateBudget(model, { ...plainRun, sequence: 1024 + round }, 1 + (round % model.layers));

function bar(name: string, limit: number, rounds: number, work: (round: number) => unknown): Bar {
  for (let round = 0; round < rounds / 3; round++) work(round);
  const milliseconds = Array.from({ length: rounds }, (_, round) => {
    const start = performance.now();
    work(rounds + round);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const median = milliseconds[Math.floor(rounds / 2)] ?? 0;
  return { name, reached: `${median.toFixed(2)} ms (at most ${limit} ms)`, passed: median <= limit };
}
