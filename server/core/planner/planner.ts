import { type Plan, type Region, segmentsOf, type Treatment } from '../budget/plan.ts';
import { peakOf, simulate } from '../budget/simulate.ts';
import type { Step } from '../budget/step.ts';
import { layerChoices } from './layerChoices.ts';

/** A plan with what it costs. */
export interface PlannedStep {
  readonly plan: Plan;
  readonly peakBytes: number;
  readonly recomputedFlops: number;
}

/**
 * The plan with the least work done again that `fits`; undefined where none does. Expects that a plan which keeps less fits
 * where one that keeps more does. A small model is searched through; for a deep one layers are treated in up to two ways that lie side by side on the
 * convex hull of memory and work, which is the optimum of the linear programme, rounded to whole layers.
 */
export function cheapestPlan(step: Step, fits: (planned: PlannedStep) => boolean): PlannedStep | undefined {
  const search = searchOf(step);
  if (search === undefined) return undefined;
  let best: Candidate | undefined;
  const offer = (candidate: Candidate): void => {
    if (fits(candidate) && (best === undefined || candidate.work < best.work)) best = candidate;
  };
  if (search.isSmall) for (const counts of search.allCounts()) offer(search.candidate(counts));
  else for (const pair of search.pairs()) offer(search.fewest(pair, fits));
  // Longer segments do the same work as segments of one, but for the stops in between.
  if (best === undefined) for (const candidate of search.longerSegments()) offer(candidate);
  return best;
}

/** Plans none of which is beaten in both memory and work, from most memory to least. */
export function paretoPlans(step: Step): readonly PlannedStep[] {
  const search = searchOf(step);
  if (search === undefined) return [];
  const all = [...search.pairs().flatMap((pair) => search.spread(pair)), ...search.longerSegments()];
  const front: Candidate[] = [];
  for (const each of all.toSorted((a, b) => a.work - b.work || a.peakBytes - b.peakBytes)) {
    if (each.peakBytes < (front.at(-1)?.peakBytes ?? Number.POSITIVE_INFINITY)) front.push(each);
  }
  return front;
}

interface Candidate extends PlannedStep {
  /** Recomputed FLOPs, and what else runs again where that is none. */
  readonly work: number;
}

/** How many layers get each choice, in the order of `choices`. */
type Counts = readonly number[];

function searchOf(step: Step) {
  const { layers } = step;
  if (layers === 0) return undefined;
  const choices = layerChoices(step);
  const candidate = (counts: Counts): Candidate => {
    // What keeps less comes first: the layers kept whole at the end are gone by the time the first ones are replayed.
    const plan = choices.flatMap(({ treatment }, at) => eachLayer(counts[at] ?? 0, treatment)).toReversed();
    const work = choices.reduce((sum, choice, at) => sum + (counts[at] ?? 0) * choice.work, 0);
    return { ...planned(step, plan), work };
  };
  const pairs = (): readonly Pair[] => choices.slice(1).map((_, at) => ({ more: at, fewer: at + 1 }));
  const mixed = ({ more, fewer }: Pair, fewerLayers: number): Candidate =>
    candidate(choices.map((_, at) => (at === more ? layers - fewerLayers : at === fewer ? fewerLayers : 0)));
  return {
    isSmall: combinations(layers, choices.length) <= mostCombinations,
    candidate,
    pairs,
    allCounts: () => compositions(layers, choices.length),
    /** As few layers as possible with the choice that keeps less. */
    fewest(pair: Pair, fits: (candidate: Candidate) => boolean): Candidate {
      let low = 0;
      let high = layers;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (fits(mixed(pair, middle))) high = middle;
        else low = middle + 1;
      }
      return mixed(pair, high);
    },
    spread(pair: Pair): readonly Candidate[] {
      const points = Math.min(layers, pointsOfPair);
      return Array.from({ length: points + 1 }, (_, at) => mixed(pair, Math.round((layers * at) / points)));
    },
    longerSegments(): readonly Candidate[] {
      return Array.from({ length: Math.min(layers, longestSegment) - 1 }, (_, at) => {
        const each = planned(step, segmentsOf(layers, at + 2));
        return { ...each, work: each.recomputedFlops };
      });
    },
  };
}

interface Pair {
  /** Index of the choice that keeps more. */
  readonly more: number;
  readonly fewer: number;
}

/** Longer segments never have the smallest peak: a boundary costs far less than a layer. */
const longestSegment = 8;
const pointsOfPair = 8;
const mostCombinations = 500;

/** All ways to write `total` as a sum of `parts` numbers. */
function compositions(total: number, parts: number): readonly Counts[] {
  if (parts === 1) return [[total]];
  return Array.from({ length: total + 1 }, (_, first) =>
    compositions(total - first, parts - 1).map((rest) => [first, ...rest]),
  ).flat();
}

function combinations(total: number, parts: number): number {
  let ways = 1;
  for (let i = 1; i < parts; i++) ways = (ways * (total + i)) / i;
  return ways;
}

const eachLayer = (layers: number, treatment: Treatment): Plan =>
  Array.from({ length: layers }, (): Region => ({ layers: 1, treatment }));

function planned(step: Step, plan: Plan): PlannedStep {
  const peaks = simulate(step, plan);
  return { plan, peakBytes: peakOf(peaks), recomputedFlops: peaks.recomputedFlops };
}
