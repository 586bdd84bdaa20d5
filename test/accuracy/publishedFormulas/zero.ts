/** Rajbhandari et al. 2020, "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models", arXiv 1910.02054. */

/** Figure 1 and Table 1: bytes of model states on a GPU for `psi` parameters on `N` of them, with K = 12 for Adam. */
export function zeroStates({ psi, stage, N }: Record<'psi' | 'stage' | 'N', number>): number {
  const K = 12;
  if (stage === 0) return (4 + K) * psi;
  if (stage === 1) return (4 + K / N) * psi;
  if (stage === 2) return (2 + (2 + K) / N) * psi;
  return ((4 + K) / N) * psi;
}
