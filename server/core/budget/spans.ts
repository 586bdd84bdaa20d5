import { withPartRecomputed } from './coreRecompute.ts';
import type { PieceMemory } from './pieceMemory.ts';
import { type Plan, type Policy, plain, type Treatment } from './plan.ts';
import { type SelectiveMemory, selectiveMemory } from './selective.ts';
import type { Visit } from './simulate.ts';
import type { Step, StepUnit } from './step.ts';

/** Consecutive units that are treated as one: a checkpointed region, or a single unit. */
export interface Span {
  readonly first: number;
  readonly units: readonly StepUnit[];
  readonly treatment: Treatment;
  /** What is kept of its input; nothing where the unit before it has it in memory already, as its own result. */
  readonly inputBytes: number;
}

/** A plan laid over the units of a step. A region cannot reach over a unit that is not a layer; the rest of it goes on behind. */
export function spansOf(step: Step, plan: Plan): readonly Span[] {
  const spans: Span[] = [];
  let region = 0;
  let left = plan[0]?.layers ?? 0;
  let at = 0;
  const push = (count: number, wanted: Treatment): void => {
    const units = step.units.slice(at, at + count);
    // Where no gradient flows (frozen layers before the first one that learns) a checkpoint keeps nothing, never replays.
    const flows = units.at(-1)?.memory.piece.output.requiresGradient === true;
    const treatment = flows ? wanted : plain;
    spans.push({ first: at, units, treatment, inputBytes: inputBytes(units, spans.at(-1)) });
    at += count;
  };
  while (at < step.units.length) {
    if (step.units[at]?.isLayer !== true) {
      push(1, plain);
      continue;
    }
    const treatment = plan[region]?.treatment ?? plain;
    let count = 1;
    if (treatment.kind === 'checkpoint') while (count < left && step.units[at + count]?.isLayer === true) count++;
    push(count, treatment);
    left -= count;
    if (left <= 0) left = plan[++region]?.layers ?? 0;
  }
  return spans;
}

function inputBytes(units: readonly StepUnit[], before: Span | undefined): number {
  const memory = before?.units.at(-1)?.memory;
  const treatment = before?.treatment;
  const isThere =
    memory !== undefined &&
    (treatment?.kind === 'checkpoint'
      ? treatment.policy !== undefined && selectiveMemory(memory, treatment.policy).savesOutput
      : memory.keepsOutput);
  return isThere ? 0 : (units[0]?.memory.inputBytes ?? 0);
}

/** Runs a span forward over `before` live bytes. @returns what is live behind it */
export function visitForward({ first, units, treatment, inputBytes: input }: Span, before: number, see: Visit): number {
  let live = before;
  if (treatment.kind === 'checkpoint') {
    live += treatment.offloaded ? 0 : input;
    units.forEach(({ memory }, at) => {
      const policy = chosen(memory, treatment.policy);
      const fetched = at === 0 && treatment.offloaded ? memory.inputBytes : 0;
      const peak = live + fetched + (policy?.forwardPeakBytes ?? memory.transientPeakBytes);
      live += policy?.savedBytes ?? 0;
      see('forward', first + at, live, peak);
    });
    return live;
  }
  units.forEach((unit, at) => {
    const memory = inTreatment(unit.memory, treatment);
    const peak = live + memory.forwardPeakBytes;
    live += memory.keptBytes - (unit.handsOverKept ? unit.memory.outputBytes : 0);
    see('forward', first + at, live, peak);
  });
  return live;
}

/** Goes back through a span; `before` is what was live before it ran. */
export function visitBackward({ first, units, treatment, inputBytes: input }: Span, before: number, see: Visit): void {
  if (treatment.kind !== 'checkpoint') {
    units.forEach(({ memory }, at) => {
      see('backward', first + at, before, before + inTreatment(memory, treatment).backwardPeakBytes);
    });
    return;
  }
  // A region runs again as a whole, keeping all its layers keep, and is then gone through backward.
  const { reentrant, policy } = treatment;
  const last = units.at(-1)?.memory;
  const gradient = last?.gradientBytes ?? 0;
  const waiting = reentrant ? gradient : (last?.replayGradientBytes ?? 0);
  const result = last?.outputBytes ?? 0;
  // The region's own input is stored already; its first layer would only keep it once more.
  let own = units[0]?.memory.keepsInput === true ? (units[0]?.memory.inputBytes ?? 0) : 0;
  let live = before + input;
  let saved = units.reduce((sum, { memory }) => sum + (chosen(memory, policy)?.savedBytes ?? 0), 0);
  const starts: number[] = [];
  units.forEach((unit, at) => {
    const { memory } = unit;
    const selective = chosen(memory, policy);
    saved -= selective?.savedBytes ?? 0;
    starts.push(live + saved - own);
    const isWhole = at < units.length - 1 || reentrant;
    const replay = selective?.replayPeakBytes ?? (isWhole ? memory.forwardPeakBytes : memory.replayPeakBytes);
    const peak = live + saved - own + replay + waiting;
    live += memory.keptBytes - own - (unit.handsOverKept && at < units.length - 1 ? memory.outputBytes : 0);
    own = 0;
    see('replay', first + at, live + saved, peak);
  });
  for (let at = units.length - 1; at >= 0; at--) {
    const start = starts[at] ?? before;
    const memory = units[at]?.memory;
    const isLast = at === units.length - 1;
    // The reentrant variant holds on to the replay's result and to the gradient that came in, until it is through.
    const backward = reentrant
      ? result +
        (isLast ? (memory?.backwardPeakHoldingGradientBytes ?? 0) : (memory?.backwardPeakBytes ?? 0) + gradient)
      : (memory?.backwardPeakBytes ?? 0);
    see('backward', first + at, at === 0 ? before : start, start + backward);
  }
}

/** Work done a second time, in FLOPs. */
export function recomputedFlops({ units, treatment }: Span): number {
  if (treatment.kind === 'plain') return 0;
  return units.reduce((sum, { memory }, at) => {
    if (treatment.kind === 'part') return sum + withPartRecomputed(memory, treatment.part).recomputedFlops;
    const selective = chosen(memory, treatment.policy);
    if (selective !== undefined) return sum + selective.recomputedFlops;
    const stopsEarly = !treatment.reentrant && at === units.length - 1;
    return sum + (stopsEarly ? memory.replayFlops : memory.flops);
  }, 0);
}

const chosen = (memory: PieceMemory, policy: Policy | undefined): SelectiveMemory | undefined =>
  policy && selectiveMemory(memory, policy);

const inTreatment = (memory: PieceMemory, treatment: Treatment): PieceMemory =>
  treatment.kind === 'part' ? withPartRecomputed(memory, treatment.part) : memory;
