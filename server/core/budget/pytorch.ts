import { parameterCount } from '../families/parameters.ts';
import { type ModelPieces, modelPieces } from '../families/pieces.ts';
import { partLabels } from '../families/template.ts';
import { type KeptStorage, keptBytes, keptStorages } from '../graph/kept.ts';
import { tensorBytes } from '../graph/tensor.ts';
import type { ModelShape, Part, PytorchAccount, PytorchStrategy, RunShape } from './account.ts';
import { pieceMemory, selectiveMemory } from './pieceMemory.ts';
import { peakBytes, type StepMemory, type StepPeak, stepWithout, stepWithSegments } from './schedule.ts';

/**
 * The PyTorch account: what autograd keeps and what is live, from the graphs of one inner layer and of what is before and
 * after the layers. Expects sizes that `estimateBudget` has checked.
 */
export function pytorchAccount(model: ModelShape, run: RunShape, segment: number): PytorchAccount {
  const pieces = modelPieces(model, run);
  const kept = keptStorages(pieces.layer.graph);
  const sharedBytes = keptBytes(kept, 'shared');
  const step: StepMemory = {
    layers: model.layers,
    embed: pieceMemory(pieces.embed),
    layer: pieceMemory(pieces.layer),
    head: pieceMemory(pieces.head),
    boundaryBytes: tensorBytes(pieces.layer.input),
    sharedBytes,
    argumentBytes: pieces.shared.reduce((sum, { storage }) => sum + storage.bytes, 0),
    resultBytes: tensorBytes(pieces.head.output),
    waitingBytes: model.tiedEmbeddings ? model.vocabulary * model.hidden * bytesPerWeight(run) : 0,
  };
  const layerBytes = step.layer.keptBytes;
  const outsideBytes = step.embed.keptBytes + step.head.keptBytes;
  const peaksBySegment = Array.from({ length: model.layers }, (_, at) => peakBytes(stepWithSegments(step, at + 1)));
  return {
    layerBytes,
    layersBytes: Array.from({ length: model.layers }, (_, at) => layerBytes + (at === 0 ? sharedBytes : 0)),
    layerParts: partsOf(kept),
    outsideBytes,
    savedBytes: model.layers * layerBytes + sharedBytes + outsideBytes,
    boundaryBytes: step.boundaryBytes,
    parameters: parameterCount(model),
    strategies: strategies(pieces, step, Math.min(Math.max(1, segment), model.layers)),
    peaksBySegment,
    bestSegment: 1 + peaksBySegment.indexOf(Math.min(...peaksBySegment)),
  };
}

function strategies(pieces: ModelPieces, step: StepMemory, segment: number): readonly PytorchStrategy[] {
  const { layers, layer } = step;
  const forwardFlops = step.embed.flops + layers * layer.flops + step.head.flops;
  const plain = stepWithout(step);
  const row = (name: PytorchStrategy['name'], length: number, peak: StepPeak, extraFlops: number): PytorchStrategy => ({
    name,
    segment: length,
    afterForwardBytes: peak.afterForwardBytes,
    peakBytes: peakBytes(peak),
    peakPhase: peak.lossPeakBytes > peak.segmentPeakBytes ? 'loss' : 'segment',
    saving: 1 - peakBytes(peak) / peakBytes(plain),
    extraForward: extraFlops / forwardFlops,
    // A step is one forward and a backward of about two forwards.
    extraStep: extraFlops / (3 * forwardFlops),
  });
  const segments = Math.ceil(layers / segment);
  const core = selectiveMemory(pieces.layer, 'attention-scores');
  return [
    row('none', 1, plain, 0),
    row(
      'full',
      segment,
      stepWithSegments(step, segment),
      (layers - segments) * layer.flops + segments * layer.replayFlops,
    ),
    row('selective', 1, stepWithout(step, core), layers * core.recomputedFlops),
  ];
}

const bytesPerWeight = (run: RunShape): number => (run.autocast || run.dataType === 'fp32' ? 4 : 2);

/** One layer's bytes by part; tensors shared by all layers are the first layer's and not in here. */
function partsOf(kept: readonly KeptStorage[]): readonly Part[] {
  return Object.entries(partLabels).flatMap(([key, label]) => {
    const bytes = keptBytes(
      kept.filter(({ part }) => part === key),
      'activation',
      'boundary',
    );
    return bytes > 0 ? [{ key, label, bytes }] : [];
  });
}
