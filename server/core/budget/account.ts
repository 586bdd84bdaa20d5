import type {
  ActivationFunction,
  Adapters,
  AttentionImplementation,
  DataType,
  ModelFacts,
  ModelFamily,
  RunSettings,
} from '../facts/facts.ts';
import type { Kernels } from '../graph/graph.ts';

/**
 * What every budget computation takes and gives. The two accounts, paper and PyTorch, are labelled and never mixed;
 * inside, all memory is in bytes. Letters, where a formula needs them: `b` micro-batch, `s` sequence, `h` hidden,
 * `a` query heads, `kv` key/value heads, `d` head dimension, `f` feed-forward width, `V` vocabulary, `L` layers,
 * `k` layers in a segment, `e` bytes of an element, `T = b·s`.
 */
export interface ModelShape {
  readonly family: ModelFamily;
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headDimension: number;
  readonly feedForward: number;
  readonly vocabulary: number;
  readonly maximumSequence: number;
  readonly activation: ActivationFunction;
  readonly tiedEmbeddings: boolean;
  /** gpt2: every linear layer and LayerNorm. llama: the query, key and value projections (Qwen2). */
  readonly bias: boolean;
  /** llama only: the attention's output projection (`attention_bias` covers it in Llama, not in Qwen2). */
  readonly outputBias?: boolean;
  /** llama only: the MLP's three projections. */
  readonly feedForwardBias?: boolean;
  /** What only this family has, under the names of its configuration class: `num_local_experts`, `kv_lora_rank`. */
  readonly settings?: ModelSettings;
}

export type SettingValue = number | string | boolean | null | readonly SettingValue[];
export type ModelSettings = Readonly<Record<string, SettingValue>>;

export interface RunShape {
  readonly batch: number;
  readonly sequence: number;
  readonly dataType: DataType;
  readonly autocast: boolean;
  /** The layers see weights in `dataType` although fp32 is stored: FSDP gathers them so, and autocast has none to copy. */
  readonly lowPrecisionWeights?: boolean;
  readonly attention: AttentionImplementation;
  /** Probability, 0 = off. */
  readonly dropout: number;
  /** Length of the decoder's sequence where a model has an encoder too; `sequence` is the encoder's then. */
  readonly targetSequence?: number;
  /** Low-rank adapters beside a frozen model; absent where all weights learn. */
  readonly adapters?: Adapters;
  /** `enable_input_require_grads`: a gradient flows from the embeddings on although they are frozen. */
  readonly inputRequiresGradient?: boolean;
  /** `meta` leaves out what CUDA's kernels make for a moment, as measurements on the meta device do. */
  readonly kernels?: Kernels;
  /** A GPU older than Ampere: no FlashAttention, and no fused attention for bf16. */
  readonly beforeAmpere?: true;
  /** First layers whose weights are frozen, the embeddings with them. */
  readonly frozenLayers?: number;
  /** Fused kernels in place of the library's own operations (Liger, Apex, cut cross-entropy). */
  readonly fused?: FusedKernels;
}

export interface FusedKernels {
  readonly norm?: boolean;
  /** Gated MLPs keep gate and up, nothing between. */
  readonly mlp?: boolean;
  /** `fused` keeps no logits; `chunked` has one chunk of them at a time. */
  readonly loss?: 'fused' | 'chunked';
}

/** The strategies of both accounts, then those that only the PyTorch account tells apart. */
export type StrategyName =
  | 'none'
  | 'full'
  | 'selective'
  | 'every-second'
  | 'sequential'
  | 'policy'
  | 'policy-second'
  | 'offload';

/** One row of the paper account: the segment model of Chen et al. 2016, in units of one layer's activations. */
export interface PaperStrategy {
  readonly name: StrategyName;
  /** Layers in a segment, `k`; 1 for `none`. */
  readonly segment: number;
  /** Peak in units of A, the activations of one layer. */
  readonly units: number;
  /** The same without counting the recomputed segment's own boundary twice. */
  readonly unitsExact: number;
  readonly peakBytes: number;
  /** Share of the peak without checkpointing that is saved; negative where it costs memory. */
  readonly saving: number;
  /** Recomputed work as a share of one forward pass (1 = one whole extra forward). */
  readonly extraForward: number;
  /** Extra work as a share of a whole step, with backward counted as two forwards. */
  readonly extraStep: number;
}

export interface PaperAccount {
  /** `A = 34bsh + 5bs²a`. */
  readonly layerBytes: number;
  readonly parts: readonly Part[];
  readonly strategies: readonly PaperStrategy[];
}

/** A named share of some memory, for stacked bars and breakdown tables. */
export interface Part {
  /** Stable key, usable as a class name: `attention-scores`, `mlp`. */
  readonly key: string;
  /** For people: `Attention scores (s²)`. */
  readonly label: string;
  readonly bytes: number;
}

export interface PytorchStrategy {
  readonly name: StrategyName;
  /** For people. */
  readonly label: string;
  readonly segment: number;
  /** Live when the forward pass has ended, parameters and their gradients excluded. */
  readonly afterForwardBytes: number;
  /** Highest live bytes over forward and backward, parameters and their gradients excluded. */
  readonly peakBytes: number;
  /** Where that peak is: in the loss (logits) or in the backward pass of a segment. */
  readonly peakPhase: 'loss' | 'segment';
  /** Share of the peak without checkpointing that is saved. */
  readonly saving: number;
  readonly extraForward: number;
  readonly extraStep: number;
}

/** What autograd keeps, op by op; equal to the measured byte for the families that have an account. */
export interface PytorchAccount {
  /** Kept by one inner layer. */
  readonly layerBytes: number;
  /** Kept by each layer, first to last. */
  readonly layersBytes: readonly number[];
  /** One inner layer by module; the parts add up to `layerBytes`. */
  readonly layerParts: readonly Part[];
  /** Its attention goes through a fused kernel, which keeps no scores. */
  readonly fusesAttention: boolean;
  /** Kept outside the layers: embeddings, final norm, head, loss. */
  readonly outsideBytes: number;
  /** Everything kept for backward without checkpointing: layers and outside. */
  readonly savedBytes: number;
  /** One layer input, `X = e·b·s·h`. */
  readonly boundaryBytes: number;
  /** Number of parameters of the model. */
  readonly parameters: number;
  readonly strategies: readonly PytorchStrategy[];
  /** Peak for every segment length k = 1 … L under full checkpointing: `peaksBySegment[k - 1]`. */
  readonly peaksBySegment: readonly number[];
  /** The segment length with the smallest peak; the smallest such k where several tie within the byte. */
  readonly bestSegment: number;
}

/** Peaks as ranges, from blocks that are like the model's but are not its own: an assumption, never a measurement. */
export interface RoughAccount {
  readonly none: ByteRange;
  readonly full: ByteRange;
}

export interface ByteRange {
  readonly lowBytes: number;
  readonly highBytes: number;
}

export interface Budget {
  readonly paper: PaperAccount;
  /** Undefined, with the reason, where the family or setting has no account yet. */
  readonly pytorch: PytorchAccount | undefined;
  /** Where the family has no account of its own. */
  readonly rough?: RoughAccount;
  readonly notes: readonly string[];
}

export const modelShape = (facts: ModelFacts): ModelShape => ({
  family: facts.family.value,
  layers: facts.layers.value,
  hidden: facts.hidden.value,
  heads: facts.heads.value,
  keyValueHeads: facts.keyValueHeads.value,
  headDimension: facts.headDimension.value,
  feedForward: facts.feedForward.value,
  vocabulary: facts.vocabulary.value,
  maximumSequence: facts.maximumSequence.value,
  activation: facts.activation.value,
  tiedEmbeddings: facts.tiedEmbeddings.value,
  bias: facts.bias.value,
  ...(facts.outputBias === undefined ? {} : { outputBias: facts.outputBias.value }),
  ...(facts.feedForwardBias === undefined ? {} : { feedForwardBias: facts.feedForwardBias.value }),
  ...(facts.settings === undefined
    ? {}
    : { settings: Object.fromEntries(Object.entries(facts.settings).map(([name, fact]) => [name, fact.value])) }),
});

export const runShape = (run: RunSettings): RunShape => ({
  batch: run.batch.value,
  sequence: run.sequence.value,
  dataType: run.dataType.value,
  autocast: run.autocast.value,
  ...((run.sharding?.value === 'fsdp1' || run.sharding?.value === 'fsdp2') && { lowPrecisionWeights: true }),
  attention: run.attention.value,
  dropout: run.dropout.value,
  ...(run.targetSequence && { targetSequence: run.targetSequence.value }),
  // PEFT and transformers make the embeddings' result require a gradient as soon as layers are checkpointed.
  ...(run.adapters && {
    adapters: run.adapters.value,
    inputRequiresGradient: run.checkpointing.value.mode !== 'none',
  }),
  ...(run.frozenLayers && { frozenLayers: run.frozenLayers.value }),
  ...(run.fused && { fused: run.fused.value }),
});
