import type { Operation } from '../graph/graph.ts';

/**
 * What a training loop does about checkpointing: regions of consecutive layers, first to last, that together cover all
 * layers of the model. What runs outside the layers (embeddings, head) is never part of a region.
 */
export type Plan = readonly Region[];

export interface Region {
  /** Number of layers in it. */
  readonly layers: number;
  readonly treatment: Treatment;
}

export type Treatment =
  /** Keeps what autograd keeps. */
  | { readonly kind: 'plain' }
  /** Keeps its input and runs again when the backward pass reaches it. */
  | {
      readonly kind: 'checkpoint';
      readonly reentrant: boolean;
      /** Selective: results of these operations are kept, so that they do not run again. */
      readonly policy?: Policy;
      /** Its input waits in host memory. */
      readonly offloaded: boolean;
    }
  /** Each layer runs one of its parts under a checkpoint of its own: Megatron's selective recomputation. */
  | { readonly kind: 'part'; readonly part: string };

/** Which operations of a layer a selective checkpoint saves, PyTorch's `CheckpointPolicy.MUST_SAVE`. */
export interface Policy {
  /** Key and label for reports: `matmul`, `attention`. */
  readonly name: string;
  /** `index` counts the matrix products of the layer, from 0, for policies such as every second one. */
  readonly saves: (operation: Operation, index: number) => boolean;
}

export const plain: Treatment = { kind: 'plain' };
/** The non-reentrant variant, its input kept where it is. */
export const checkpoint = { kind: 'checkpoint', reentrant: false, offloaded: false } as const satisfies Treatment;

export const noCheckpoints = (layers: number): Plan => [{ layers, treatment: plain }];

/** Layers in a segment as somebody asks for them, brought to a whole number from 1 to `layers`. */
export const segmentLength = (layers: number, wanted: number): number =>
  Number.isFinite(wanted) ? Math.min(Math.max(1, Math.floor(wanted)), layers) : 1;

/** Segments of `length` layers, the last one shorter where that does not come out even. */
export function segmentsOf(layers: number, length: number, treatment: Treatment = checkpoint): Plan {
  const regions: Region[] = [];
  for (let at = 0; at < layers; at += length) regions.push({ layers: Math.min(length, layers - at), treatment });
  return regions;
}

/** transformers' `every_n_layers`: layer i is checkpointed where `i % n == 0`. */
export const everyNth = (layers: number, n: number, treatment: Treatment = checkpoint): Plan =>
  Array.from({ length: layers }, (_, at): Region => ({ layers: 1, treatment: at % n === 0 ? treatment : plain }));

/** `checkpoint_sequential`: segments of `layers // segments` layers; the last one takes the rest and is not checkpointed. */
export function sequential(layers: number, segments: number, treatment: Treatment = checkpoint): Plan {
  const count = Math.min(Math.max(1, segments), layers);
  const length = Math.floor(layers / count);
  return [
    ...Array.from({ length: count - 1 }, (): Region => ({ layers: length, treatment })),
    { layers: layers - (count - 1) * length, treatment: plain },
  ];
}

/** The attention core (or another part) of every layer runs again, the rest is kept. */
export const partRecomputed = (layers: number, part: string): Plan => [{ layers, treatment: { kind: 'part', part } }];

export const withPolicy = (policy: Policy): Treatment => ({ ...checkpoint, policy });

export const offloaded: Treatment = { ...checkpoint, offloaded: true };
