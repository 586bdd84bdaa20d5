/**
 * Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost", arXiv 1604.06174, equation 1: every stored boundary
 * is charged a whole layer, `A`.
 */
interface Segments {
  readonly L: number;
  readonly k: number;
  readonly A: number;
}

export const withoutCheckpoints = ({ L, A }: Omit<Segments, 'k'>): number => L * A;

export const fullCheckpoints = ({ L, k, A }: Segments): number => (Math.ceil(L / k) + k) * A;

/** Only the share `m` of a layer, its attention scores, is recomputed. */
export const selectiveCheckpoints = ({ L, k, A, m }: Segments & { m: number }): number =>
  (L * (1 - m) + (Math.ceil(L / k) + k) * m) * A;

/** Per cent of a layer's FLOPs that are the attention core: 4s²h / (24sh² + 4s²h). */
export const coreFlopsPercent = ({ s, h }: Record<'s' | 'h', number>): number => (100 * s) / (6 * h + s);
