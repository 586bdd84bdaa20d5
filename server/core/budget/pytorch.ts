import { type PartKey, partLabels } from '../families/family.ts';
import { familyNamed } from '../families/generated/registry.ts';
import { ModelBuilder } from '../families/modelBuilder.ts';
import { type KeptStorage, keptBytes } from '../graph/kept.ts';
import type { Storage } from '../graph/tensor.ts';
import type { ModelShape, Part, PytorchAccount, PytorchStrategy, RunShape } from './account.ts';
import { noCheckpoints, segmentsOf } from './plan.ts';
import { isAttention } from './policies.ts';
import { peakOf, simulate } from './simulate.ts';
import { forwardFlops, type Step, type StepUnit, stepOf } from './step.ts';
import { strategyPlans } from './strategies.ts';
import { weightCounts } from './weightCounts.ts';

/**
 * The PyTorch account: what autograd keeps and what is live, from the graphs of the model's pieces. Undefined for a family
 * that nobody has written yet. Expects sizes that `estimateBudget` has checked.
 */
export function pytorchAccount(model: ModelShape, run: RunShape, segment: number): PytorchAccount | undefined {
  const step = trainingStep(model, run);
  return step && accountOf(step, segment);
}

/** The step that `simulate` runs. */
export function trainingStep(model: ModelShape, run: RunShape): Step | undefined {
  const family = familyNamed(model.family);
  if (family === undefined) return undefined;
  const builder = new ModelBuilder(run);
  family.forward(builder, model, run);
  const graph = builder.build();
  return graph && stepOf(graph);
}

function accountOf(step: Step, segment: number): PytorchAccount {
  const { layers } = step;
  const own = layersBytes(step);
  const inner = innerLayer(step);
  const outsideBytes = step.units.reduce((sum, unit) => sum + (unit.isLayer ? 0 : ownBytes(unit)), 0);
  const peaksBySegment = Array.from({ length: layers }, (_, at) => peakOf(simulate(step, segmentsOf(layers, at + 1))));
  return {
    layerBytes: inner ? ownBytes(inner) : 0,
    layersBytes: own,
    layerParts: inner ? partsOf(inner.memory.kept) : [],
    fusesAttention: inner?.memory.piece.graph.operations.some(({ name }) => isAttention(name)) === true,
    outsideBytes,
    savedBytes: own.reduce((sum, bytes) => sum + bytes, outsideBytes),
    boundaryBytes: inner?.memory.inputBytes ?? 0,
    parameters: weightCounts(step).total,
    strategies: strategies(step, segment),
    peaksBySegment,
    bestSegment: 1 + peaksBySegment.indexOf(Math.min(...peaksBySegment)),
  };
}

/** The second layer where there is one: the first may differ (it makes a bias for all, or reads frozen embeddings). */
function innerLayer(step: Step): StepUnit | undefined {
  const layers = step.units.filter(({ isLayer }) => isLayer);
  return layers[1] ?? layers[0];
}

/** What a unit adds to what is kept; a result that the next unit keeps as its input is counted there. */
const ownBytes = ({ memory, handsOverKept }: StepUnit): number =>
  memory.keptBytes - (handsOverKept ? memory.outputBytes : 0);

/** By layer; tensors shared by all layers are with the first layer that keeps them. */
function layersBytes(step: Step): readonly number[] {
  const seen = new Set<Storage>();
  return step.units
    .filter(({ isLayer }) => isLayer)
    .map((unit) => {
      const fresh = unit.memory.kept.filter(({ storage }) => storage.role === 'shared' && !seen.has(storage));
      for (const { storage } of fresh) seen.add(storage);
      return ownBytes(unit) + keptBytes(fresh, 'shared');
    });
}

function strategies(step: Step, segment: number): readonly PytorchStrategy[] {
  const work = forwardFlops(step);
  const plainPeak = peakOf(simulate(step, noCheckpoints(step.layers)));
  return strategyPlans(step.layers, segment).map(({ name, label, segment: length, plan }): PytorchStrategy => {
    const peaks = simulate(step, plan);
    const peakBytes = peakOf(peaks);
    return {
      name,
      label,
      segment: length,
      afterForwardBytes: peaks.afterForwardBytes,
      peakBytes,
      peakPhase: peaks.lossPeakBytes > peaks.segmentPeakBytes ? 'loss' : 'segment',
      saving: 1 - peakBytes / plainPeak,
      extraForward: work > 0 ? peaks.recomputedFlops / work : 0,
      // A step is one forward and a backward of about two forwards.
      extraStep: work > 0 ? peaks.recomputedFlops / (3 * work) : 0,
    };
  });
}

/** One layer's bytes by part; tensors shared by all layers are the first layer's and not in here. */
function partsOf(kept: readonly KeptStorage[]): readonly Part[] {
  return (Object.entries(partLabels) as [PartKey, string][]).flatMap(([key, label]) => {
    const bytes = keptBytes(
      kept.filter(({ part }) => part === key),
      'activation',
      'boundary',
    );
    return bytes > 0 ? [{ key, label, bytes }] : [];
  });
}
