/**
 * Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models", arXiv 2205.05198: 16-bit
 * activations of a GPT with dropout, a 4h MLP and multi-head attention. All results in bytes unless they are named otherwise.
 */
export type RecomputeMode = 'none' | 'selective' | 'full';

export interface KorthikantiLayer {
  readonly b: number;
  readonly s: number;
  readonly h: number;
  readonly a: number;
  /** Tensor-parallel size. */
  readonly t?: number;
  /** Sequence parallelism over the same ranks. */
  readonly sp?: boolean;
  readonly mode?: RecomputeMode;
}

/** Equations 1, 2 and 4 and Table 2: what one layer keeps. */
export function layerActivations({ b, s, h, a, t = 1, sp = false, mode = 'none' }: KorthikantiLayer): number {
  const sbh = s * b * h;
  if (mode === 'full') return (2 * sbh) / (sp ? t : 1);
  const core = mode === 'selective' ? 0 : (5 * a * s) / h;
  return sp ? (sbh / t) * (34 + core) : sbh * (10 + (24 + core) / t);
}

/** All layers, with the embedding's dropout mask where `emb`; context parallelism divides. */
export function totalActivations(args: KorthikantiLayer & { L: number; emb?: boolean; cp?: number }): number {
  const { L, emb = false, cp = 1 } = args;
  return (L * layerActivations(args) + (emb ? args.s * args.b * args.h : 0)) / cp;
}

/** Section 4.3: embedding dropout, and on a single stage the final norm, the head's input and fp32 logits. */
export const extraActivations = ({
  b,
  s,
  h,
  v,
  p,
  t = 1,
}: Record<'b' | 's' | 'h' | 'v' | 'p', number> & { t?: number }) =>
  ((s * b * h) / t) * (p + (p === 1 ? 4 * (1 + v / h) : 0));

/** Table 2 as a share of the same layer without any of it, in per cent. */
export const percentOfBaseline = (args: Omit<KorthikantiLayer, 'b'>): number =>
  (100 * layerActivations({ ...args, b: 1 })) /
  layerActivations({ b: 1, s: args.s, h: args.h, a: args.a, ...(args.t ? { t: args.t } : {}) });

/** 5as/h: bytes of the attention core against the 34 of everything else. */
export const attentionRatio = ({ a, s, h }: Record<'a' | 's' | 'h', number>): number => (5 * a * s) / h;

/** Per cent of the activations that recomputing the attention core removes. */
export const selectiveSavingPercent = (args: Record<'a' | 's' | 'h', number>): number =>
  (100 * attentionRatio(args)) / (34 + attentionRatio(args));

/** Appendix A: hardware FLOPs under selective recomputation over model FLOPs, less 1, in per cent. */
export function selectiveOverheadPercent({ s, h, v, L }: Record<'s' | 'h' | 'v' | 'L', number>): number {
  const head = v / (12 * h * L);
  return 100 * ((1 + s / (3 * h) + head) / (1 + s / (6 * h) + head) - 1);
}

/** Appendix A, per cent of 312 TFLOP/s on every GPU. */
export function modelFlopsUtilisation(args: Record<'B' | 'L' | 's' | 'h' | 'v' | 'iter_s' | 'gpus', number>): number {
  const { B, L, s, h, v } = args;
  const flops = 72 * B * L * s * h * h * (1 + s / (6 * h) + v / (12 * h * L));
  return (100 * flops) / (args.iter_s * args.gpus * 312e12);
}

/** Section 5.3: hardware utilisation from model utilisation under selective recomputation. */
export const hardwareFlopsUtilisation = ({ mfu, s, h }: Record<'mfu' | 's' | 'h', number>): number =>
  mfu * (1 + s / (6 * h));

/** Appendix B: bytes freed by deallocating the outputs of pipeline stages. */
export const outputDeallocation = ({ s, b, h, p }: Record<'s' | 'b' | 'h' | 'p', number>): number => 2 * s * b * h * p;

/** Table 5: per cent more throughput than under full recomputation. */
export const throughputGain = ({ full, present }: Record<'full' | 'present', number>): number =>
  100 * (full / present - 1);
