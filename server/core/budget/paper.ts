import type { ModelShape, PaperAccount, PaperStrategy, Part, RunShape } from './account.ts';

/**
 * The paper account: the segment model of Chen et al. 2016 with the per-layer counts of Korthikanti et al. 2022 (16-bit
 * activations, dropout on, a 4h MLP, multi-head attention), which do not depend on the model's own implementation. It
 * charges a whole layer, A, for every stored boundary; what PyTorch really keeps is in the other account.
 */
export function paperAccount(model: ModelShape, run: RunShape, segment: number): PaperAccount {
  const sizes: PaperSizes = { batch: run.batch, sequence: run.sequence, hidden: model.hidden, heads: model.heads };
  const parts = paperParts(sizes);
  const layerBytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const m = scoresShare(sizes);
  const f = coreFlopShare(sizes);
  return {
    layerBytes,
    parts,
    strategies: paperStrategies(model.layers, layerBytes, segment, m, f),
  };
}

export interface PaperSizes {
  readonly batch: number;
  readonly sequence: number;
  readonly hidden: number;
  readonly heads: number;
}

/** Bytes of one layer by part: scores `5bs²a`, rest of attention `11bsh`, MLP `19bsh`, layer norms `4bsh`. */
export function paperParts({ batch, sequence, hidden, heads }: PaperSizes): readonly Part[] {
  const bsh = batch * sequence * hidden;
  return [
    { key: 'attention-scores', label: 'Attention scores (s²)', bytes: 5 * batch * sequence * sequence * heads },
    { key: 'attention-rest', label: 'Rest of attention', bytes: 11 * bsh },
    { key: 'mlp', label: 'MLP', bytes: 19 * bsh },
    { key: 'layer-norms', label: 'Layer norms', bytes: 4 * bsh },
  ];
}

/** `m`: the share of a layer's bytes that are attention scores, `5bs²a / A`. */
export function scoresShare(sizes: PaperSizes): number {
  const parts = paperParts(sizes);
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  return (parts[0]?.bytes ?? 0) / total;
}

/** FLOPs of one layer's forward pass per sequence (2 per multiply-add): core `4s²h`, projections `8sh²`, MLP `16sh²`. */
export function paperFlops({ sequence, hidden }: PaperSizes): {
  readonly core: number;
  readonly projections: number;
  readonly mlp: number;
} {
  return {
    core: 4 * sequence * sequence * hidden,
    projections: 8 * sequence * hidden * hidden,
    mlp: 16 * sequence * hidden * hidden,
  };
}

/** `f`: the share of a layer's FLOPs in the attention core, `4s²h / (24sh² + 4s²h)`. */
export function coreFlopShare(sizes: PaperSizes): number {
  const { core, projections, mlp } = paperFlops(sizes);
  return core / (core + projections + mlp);
}

/** `s = ceil(L/k)`; the last segment is shorter where k does not divide L. */
export const segmentCount = (layers: number, segment: number): number => Math.ceil(layers / segment);

/**
 * How stored boundaries and the segment being recomputed are counted. The paper counts s + k; `exact` takes off the one
 * unit that is in both, the boundary of the segment that is being recomputed.
 */
export type Counting = 'paper' | 'exact';

/** Peak of full checkpointing in units of A: `s + k`. */
export const fullUnits = (layers: number, segment: number, counting: Counting = 'paper'): number =>
  segmentCount(layers, segment) + segment - (counting === 'exact' ? 1 : 0);

/** Peak in units of A where only the scores (share `m` of a layer) are recomputed: `L(1−m) + (s+k)m`. */
export const selectiveUnits = (layers: number, segment: number, m: number, counting: Counting = 'paper'): number =>
  layers * (1 - m) + fullUnits(layers, segment, counting) * m;

/** The smallest segment length with the smallest peak; near √L. */
export function bestPaperSegment(layers: number): number {
  // The optimum of L/k + k is at √L; with rounding up it stays within a factor of two of it.
  const last = Math.min(layers, Math.ceil(2 * Math.sqrt(layers)));
  let best = 1;
  for (let segment = 2; segment <= last; segment++) {
    if (fullUnits(layers, segment) < fullUnits(layers, best)) best = segment;
  }
  return best;
}

/** The three strategies for segments of `segment` layers, `m` and `f` as above, `layerBytes` = A. */
export function paperStrategies(
  layers: number,
  layerBytes: number,
  segment: number,
  m: number,
  f: number,
): readonly PaperStrategy[] {
  const k = Math.min(Math.max(1, segment), layers);
  const row = (
    name: PaperStrategy['name'],
    length: number,
    units: number,
    unitsExact: number,
    extraForward: number,
  ): PaperStrategy => ({
    name,
    segment: length,
    units,
    unitsExact,
    peakBytes: units * layerBytes,
    saving: 1 - units / layers,
    extraForward,
    // A step is one forward and a backward of about two forwards.
    extraStep: extraForward / 3,
  });
  return [
    row('none', 1, layers, layers, 0),
    row('full', k, fullUnits(layers, k), fullUnits(layers, k, 'exact'), 1),
    row('selective', k, selectiveUnits(layers, k, m), selectiveUnits(layers, k, m, 'exact'), f),
  ];
}
