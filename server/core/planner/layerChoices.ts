import { checkpoint, type Policy, plain, type Treatment, withPolicy } from '../budget/plan.ts';
import { operationFlops, replayed } from '../budget/replay.ts';
import { selectiveMemory } from '../budget/selective.ts';
import type { Step } from '../budget/step.ts';
import type { Operation } from '../graph/graph.ts';
import { elementCount, type Storage } from '../graph/tensor.ts';
import { selectSaves } from './saveSelection.ts';

/** One way to treat a layer: bytes it leaves behind until its backward pass, and work done again. */
export interface LayerChoice {
  readonly treatment: Treatment;
  /** Of an average layer, where layers differ. */
  readonly bytes: number;
  /** Of an average layer: recomputed FLOPs, with one for every element that cheaper operations write again. */
  readonly work: number;
}

/**
 * The sensible treatments of a layer, from most bytes to fewest: plain, selective checkpoints that save some results of
 * matrix products and attention, and a full checkpoint. They lie on the convex hull: each keeps less than the one before,
 * and every further byte costs more work. A selective one saves the best results of every kind of layer the step has.
 */
export function layerChoices(step: Step): readonly LayerChoice[] {
  const known = remembered.get(step) ?? choicesOf(step);
  remembered.set(step, known);
  return known;
}

const remembered = new WeakMap<Step, readonly LayerChoice[]>();

function choicesOf(step: Step): readonly LayerChoice[] {
  const layers = step.units.filter(({ isLayer }) => isLayer).map(({ memory }) => memory);
  const kinds = [...new Set(layers)].map((memory) => ({
    memory,
    again: replayed(memory.piece.graph.operations),
    share: layers.filter((each) => each === memory).length / layers.length,
  }));
  const average = (of: (kind: (typeof kinds)[number]) => number): number =>
    kinds.reduce((sum, kind) => sum + kind.share * of(kind), 0);
  const workWithout = (saved: ReadonlySet<Operation>): number =>
    average(({ again }) =>
      again.reduce((sum, operation) => sum + (saved.has(operation) ? 0 : operationWork(operation)), 0),
    );
  const selective = selections(kinds.map(({ again }) => again)).map((saved): LayerChoice => {
    const policy: Policy = { name: 'chosen', saves: (operation) => saved.has(operation) };
    return {
      treatment: withPolicy(policy),
      bytes: average(({ memory }) => memory.inputBytes + selectiveMemory(memory, policy).savedBytes),
      work: workWithout(saved),
    };
  });
  return lowerHull([
    { treatment: plain, bytes: average(({ memory }) => memory.keptBytes), work: 0 },
    ...selective,
    { treatment: checkpoint, bytes: average(({ memory }) => memory.inputBytes), work: workWithout(new Set()) },
  ]);
}

const operationWork = (operation: Operation): number =>
  operationFlops(operation) || operation.outputs.reduce((sum, { shape }) => sum + elementCount(shape), 0);

/** The best sets of results to save for a few shares of what all of them take, over all kinds of layers at once. */
function selections(kinds: readonly (readonly Operation[])[]): readonly ReadonlySet<Operation>[] {
  const seen = new Map<string, ReadonlySet<Operation>>();
  for (let part = 1; part <= budgets; part++) {
    const saved = kinds.map((again) => bestSaves(again, part / budgets));
    const key = saved.map((flags) => [...flags.values()].map(Number).join('')).join(' ');
    const operations = saved.flatMap((flags) =>
      [...flags].filter(([, isSaved]) => isSaved).map(([operation]) => operation),
    );
    if (operations.length > 0 && !seen.has(key)) seen.set(key, new Set(operations));
  }
  return [...seen.values()];
}

/** For each operation that does work, whether its result is among the best to save with this share of all their bytes. */
function bestSaves(again: readonly Operation[], share: number): ReadonlyMap<Operation, boolean> {
  const works = again.filter((operation) => operationFlops(operation) > 0);
  const choices = works.map((operation) => ({ bytes: outputBytes(operation), cost: operationFlops(operation) }));
  const saved = selectSaves(choices, share * choices.reduce((sum, { bytes }) => sum + bytes, 0));
  return new Map(works.map((operation, at) => [operation, saved[at] === true]));
}

/** Finer budgets than this give no other sets for layers as they are: about ten products. */
const budgets = 16;

function outputBytes(operation: Operation): number {
  const storages = new Set<Storage>(operation.outputs.map(({ storage }) => storage));
  return [...storages].reduce((sum, { bytes }) => sum + bytes, 0);
}

function lowerHull(choices: readonly LayerChoice[]): readonly LayerChoice[] {
  const hull: LayerChoice[] = [];
  for (const choice of choices.toSorted((a, b) => a.work - b.work || a.bytes - b.bytes)) {
    if (choice.bytes >= (hull.at(-1)?.bytes ?? Number.POSITIVE_INFINITY)) continue;
    while (hull.length > 1 && !turnsUp(hull.at(-2), hull.at(-1), choice)) hull.pop();
    hull.push(choice);
  }
  return hull;
}

/** Whether the second choice saves more bytes for its work than the third does on top of it. */
function turnsUp(a: LayerChoice | undefined, b: LayerChoice | undefined, c: LayerChoice): boolean {
  if (a === undefined || b === undefined) return true;
  return (a.bytes - b.bytes) * (c.work - b.work) > (b.bytes - c.bytes) * (b.work - a.work);
}
