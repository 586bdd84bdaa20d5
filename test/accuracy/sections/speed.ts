import type { ModelShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { noCheckpoints } from '../../../server/core/budget/plan.ts';
import { peakOf, simulate } from '../../../server/core/budget/simulate.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';
import { cheapestPlan } from '../../../server/core/planner/planner.ts';
import type { Bar, Section } from '../comparison.ts';
import { plainRun, stepOf } from '../engine.ts';

/**
 * How long a person waits. Every round is timed beside a fixed piece of arithmetic, so that what else runs on the machine
 * drops out: the median of their ratio, times what the arithmetic takes at its fastest, is the time on a machine left alone.
 */
export function speed(rounds = 150): Section {
  const llama = shapeNamed('meta-llama/Meta-Llama-3-8B');
  const tall = shapeNamed('meta-llama/Meta-Llama-3-70B');
  return {
    title: 'Speed',
    comparisons: [],
    bars: [
      bar(`one estimate of ${llama.layers} layers`, 2, rounds, (round) => estimate(llama, round)),
      bar(`all strategies and all segments of ${tall.layers} layers`, 50, rounds, (round) => estimate(tall, round)),
      bar(`the cheapest plan for ${tall.layers} layers under half of the peak`, 200, rounds, (round) =>
        plan(tall, round),
      ),
    ],
  };
}

function shapeNamed(id: string): ModelShape {
  const shape = knownModel(id)?.shape;
  if (shape === undefined) throw new Error(`the registry has lost ${id}`);
  return shape;
}

/** No two rounds ask for the same sizes, so that nothing remembered helps. */
const estimate = (model: ModelShape, round: number): unknown =>
  estimateBudget(model, { ...plainRun, sequence: 1024 + round }, 1 + (round % model.layers));

function plan(model: ModelShape, round: number): unknown {
  const step = stepOf(model, { ...plainRun, sequence: 1024 + round });
  if (typeof step === 'string') throw new Error(step);
  const limit = peakOf(simulate(step, noCheckpoints(step.layers))) / 2;
  return cheapestPlan(step, ({ peakBytes }) => peakBytes <= limit);
}

/** Rounds whose median counts together. */
const batch = 10;

const medianOf = (ratios: readonly number[]): number =>
  ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;

/** Rounds that do not count. */
const warmUp = 100;

function bar(name: string, limit: number, rounds: number, work: (round: number) => unknown): Bar {
  // The first rounds run before the engine has compiled anything.
  for (let round = 0; round < warmUp; round++) work(rounds + round);
  const timed = Array.from({ length: rounds }, (_, round) => ({
    arithmetic: milliseconds(arithmetic),
    work: milliseconds(() => work(rounds + warmUp + round)),
  }));
  const fastest = Math.min(...timed.map((each) => each.arithmetic));
  // The quietest batch: a machine that does something else for a while only makes the others slower.
  const batches = Array.from({ length: Math.ceil(rounds / batch) }, (_, at) =>
    timed.slice(at * batch, (at + 1) * batch).map((each) => each.work / each.arithmetic),
  );
  const median = Math.min(...batches.map(medianOf)) * fastest;
  return { name, reached: `${median.toFixed(2)} ms (at most ${limit} ms)`, passed: median <= limit };
}

function milliseconds(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** About as much work as a small estimate: objects made and added up. */
function arithmetic(): number {
  const points = Array.from({ length: 4000 }, (_, at) => ({ at, share: at / 4000 }));
  return points.reduce((sum, { at, share }) => sum + Math.sqrt(at) * share, 0);
}
