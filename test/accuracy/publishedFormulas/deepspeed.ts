/**
 * The estimators of DeepSpeed (deepspeed/runtime/zero/stage_1_and_2.py and stage3.py) and the table in its documentation
 * (docs/code-docs/source/memory.rst), which was printed by an older version. Bytes on one GPU for `P` parameters.
 */
export const zero2 = ({ P, G, old = false }: { P: number; G: number; old?: boolean }): number =>
  old ? 4 * P + (16 * P) / G : 2 * P + (18 * P) / G;

export interface Zero3 {
  readonly P: number;
  /** Parameters of the largest layer, which is gathered whole. */
  readonly largest: number;
  readonly G: number;
  readonly offload: 'none' | 'optimizer' | 'all';
}

export function zero3({ P, largest, G, offload }: Zero3): number {
  const states = offload === 'none' ? (18 * P) / G : offload === 'optimizer' ? (2 * P) / G : 0;
  return 4 * largest + states;
}
