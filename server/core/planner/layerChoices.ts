import type { PieceMemory } from '../budget/pieceMemory.ts';
import type { Policy, Treatment } from '../budget/plan.ts';
import { operationFlops, replayed } from '../budget/replay.ts';
import { selectiveMemory } from '../budget/selective.ts';
import type { Operation } from '../graph/graph.ts';
import { elementCount, type Storage } from '../graph/tensor.ts';
import { selectSaves } from './saveSelection.ts';

/** One way to treat a layer: bytes it leaves behind until its backward pass, and work done again. */
export interface LayerChoice {
  readonly treatment: Treatment;
  readonly bytes: number;
  /** Recomputed FLOPs, with one for every element that cheaper operations write again. */
  readonly work: number;
}

/**
 * The sensible treatments of a layer, from most bytes to fewest: plain, selective checkpoints that save some results of
 * matrix products and attention, and a full checkpoint. They lie on the convex hull: each keeps less than the one before,
 * and every further byte costs more work.
 */
export function layerChoices(memory: PieceMemory): readonly LayerChoice[] {
  const known = remembered.get(memory) ?? choicesOf(memory);
  remembered.set(memory, known);
  return known;
}

const remembered = new WeakMap<PieceMemory, readonly LayerChoice[]>();

function choicesOf(memory: PieceMemory): readonly LayerChoice[] {
  const again = replayed(memory.piece.graph.operations);
  const workWithout = (saved: ReadonlySet<Operation>): number =>
    again.reduce((sum, operation) => sum + (saved.has(operation) ? 0 : operationWork(operation)), 0);
  const selective = selections(again).map((saved): LayerChoice => {
    const policy: Policy = { name: 'chosen', saves: (operation) => saved.has(operation) };
    return {
      treatment: { kind: 'checkpoint', reentrant: false, offloaded: false, policy },
      bytes: memory.inputBytes + selectiveMemory(memory, policy).savedBytes,
      work: workWithout(saved),
    };
  });
  return lowerHull([
    { treatment: { kind: 'plain' }, bytes: memory.keptBytes, work: 0 },
    ...selective,
    {
      treatment: { kind: 'checkpoint', reentrant: false, offloaded: false },
      bytes: memory.inputBytes,
      work: workWithout(new Set()),
    },
  ]);
}

const operationWork = (operation: Operation): number =>
  operationFlops(operation) || operation.outputs.reduce((sum, { shape }) => sum + elementCount(shape), 0);

/** The best set of results to save for every number of bytes that some set takes, from a few budgets. */
function selections(again: readonly Operation[]): readonly ReadonlySet<Operation>[] {
  const works = again.filter((operation) => operationFlops(operation) > 0);
  const choices = works.map((operation) => ({ bytes: outputBytes(operation), cost: operationFlops(operation) }));
  const all = choices.reduce((sum, { bytes }) => sum + bytes, 0);
  const seen = new Map<string, ReadonlySet<Operation>>();
  for (let part = 1; part <= budgets; part++) {
    const saved = selectSaves(choices, (all * part) / budgets);
    const key = saved.map(Number).join('');
    if (!seen.has(key) && saved.includes(true)) seen.set(key, new Set(works.filter((_, at) => saved[at])));
  }
  return [...seen.values()];
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
