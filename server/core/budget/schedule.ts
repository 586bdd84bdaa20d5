import type { PieceMemory } from './pieceMemory.ts';

/**
 * Live memory over one training step, from what its pieces need. A step runs the layers forward, then the head and the loss
 * (the loss phase), then goes back through the layers. Weights' lasting gradients and the states are not in here.
 */
export interface StepMemory {
  readonly layers: number;
  readonly embed: PieceMemory;
  readonly layer: PieceMemory;
  readonly head: PieceMemory;
  /** One layer input, `X`. */
  readonly boundaryBytes: number;
  /** Made once for all layers and kept by them. */
  readonly sharedBytes: number;
  /** All that is handed to every layer. A checkpoint holds on to its arguments, kept or not. */
  readonly argumentBytes: number;
  /** The loss itself, which the training loop holds. */
  readonly resultBytes: number;
  /** Gradient of a weight that is both embedding and head: it waits for the embedding's share until the very end. */
  readonly waitingBytes: number;
}

export interface StepPeak {
  /** Live when the forward pass has ended. */
  readonly afterForwardBytes: number;
  /** Most live while head and loss run forward and backward. */
  readonly lossPeakBytes: number;
  /** Most live while the layers run. */
  readonly segmentPeakBytes: number;
}

export const peakBytes = (peak: StepPeak): number => Math.max(peak.lossPeakBytes, peak.segmentPeakBytes);

/** No checkpoint around layers: everything every layer keeps is live when the loss runs. */
export function stepWithout(step: StepMemory, layer: PieceMemory = step.layer): StepPeak {
  const below = step.sharedBytes + step.resultBytes + step.embed.keptBytes;
  const keptByLayers = below + step.layers * layer.keptBytes;
  const keptBelowLast = keptByLayers - layer.keptBytes;
  return {
    afterForwardBytes: keptByLayers + step.head.keptBytes,
    lossPeakBytes: keptByLayers + lossBytes(step),
    segmentPeakBytes: Math.max(
      keptBelowLast + layer.forwardPeakBytes,
      keptBelowLast + step.waitingBytes + layer.backwardPeakBytes,
      endBytes(step),
    ),
  };
}

/**
 * Checkpoints around segments of `segment` layers, the last one shorter where that does not come out even. Until its turn
 * comes a segment costs one boundary, X; then it is run again, keeping all its layers keep, and gone through backward.
 */
export function stepWithSegments(step: StepMemory, segment: number): StepPeak {
  const { layers, layer, boundaryBytes } = step;
  const segments = Math.ceil(layers / segment);
  const below = step.argumentBytes + step.resultBytes + step.embed.keptBytes;
  const remainder = layers - (segments - 1) * segment;
  const replay = (position: number, length: number): number => {
    // The segment's own input is stored already; its first layer would only keep it once more.
    const own = layer.keepsInput ? boundaryBytes : 0;
    const stored = below + step.waitingBytes + (position + 1) * boundaryBytes + (length - 1) * layer.keptBytes - own;
    return stored + Math.max(layer.backwardPeakBytes, layer.replayPeakBytes + boundaryBytes);
  };
  const boundaries = below + segments * boundaryBytes;
  const last = replay(segments - 1, remainder);
  const lastButOne = segments > 1 ? replay(segments - 2, segment) : 0;
  return {
    afterForwardBytes: boundaries + step.head.keptBytes,
    lossPeakBytes: boundaries + lossBytes(step),
    segmentPeakBytes: Math.max(last, lastButOne, endBytes(step)),
  };
}

const lossBytes = ({ head }: StepMemory): number => Math.max(head.forwardPeakBytes, head.backwardPeakBytes);

/** At the very end the embedding's gradient is made, as large as its weight, and added to the one that waits. */
const endBytes = ({ embed, resultBytes, waitingBytes }: StepMemory): number =>
  resultBytes + Math.max(embed.backwardPeakBytes + waitingBytes, 3 * waitingBytes);
