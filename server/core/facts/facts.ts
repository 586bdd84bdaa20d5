import type { FusedKernels, SettingValue } from '../budget/account.ts';
import type { Span } from '../text/span.ts';

/**
 * What the user's own code says about a training run. Every value carries where it was read, or why it was supposed, so
 * that each number built on it can be traced to a line.
 */
export interface RunFacts {
  /** Undefined where no model was recognised; the run's settings may still be known. */
  readonly model: ModelFacts | undefined;
  /** What the code calls its model where the sizes are not known: an id that the registry does not have, a local folder. */
  readonly namedModel?: Fact<string>;
  /** What the class puts on a model whose name only the command line knows, in the words of `encoderHeadSettings`. */
  readonly head?: Fact<string>;
  readonly run: RunSettings;
  /** Sentences a person should read: conflicting values, a family without an account, a value that could not be read. */
  readonly notes: readonly string[];
}

export interface Fact<T> {
  readonly value: T;
  readonly origin: Origin;
  /** What else is said about it and does not count, the nearest contender first. */
  readonly lost?: readonly LostValue[];
}

export interface LostValue {
  readonly value: unknown;
  readonly origin: Origin;
}

export type Origin =
  /** Written in a file at `place`. */
  | { readonly kind: 'literal'; readonly place: Place }
  /** From the bundled model registry, under the id written at `place` (absent when a flag or the panel named it). */
  | { readonly kind: 'registry'; readonly model: string; readonly place?: Place }
  /** What a library takes when nothing is said, for example `transformers GPT2Config.n_layer`. */
  | { readonly kind: 'default'; readonly library: string; readonly what: string }
  /** Computed from other facts; `from` is the computation in words, for example `n_embd / n_head`. */
  | { readonly kind: 'derived'; readonly from: string; readonly place?: Place }
  /** Nothing says it; the reader should be able to change it. */
  | { readonly kind: 'assumed'; readonly why: string }
  /** A command-line flag or a what-if in the panel. */
  | { readonly kind: 'chosen'; readonly by: string };

/** A span with its line and column (both one-based, columns in UTF-16 units), so that a view can show it without the text. */
export interface Place {
  /** The document's URI in the language server, the path as given on the command line. */
  readonly path: string;
  readonly span: Span;
  readonly line: number;
  readonly column: number;
}

/** Name of a family in `families/models`: `llama`, `gemma2`. */
export type ModelFamily = string;
export type ActivationFunction = 'gelu' | 'gelu_new' | 'quick_gelu' | 'silu' | 'relu';

/** A decoder's sizes in the field's own terms; see `budget/account.ts` for the letters used in formulas. */
export interface ModelFacts {
  /** What the code calls it: a class (`GPT2Config`), a registry id (`openai-community/gpt2`). */
  readonly name: Fact<string>;
  readonly family: Fact<ModelFamily>;
  readonly layers: Fact<number>;
  readonly hidden: Fact<number>;
  readonly heads: Fact<number>;
  readonly keyValueHeads: Fact<number>;
  readonly headDimension: Fact<number>;
  readonly feedForward: Fact<number>;
  readonly vocabulary: Fact<number>;
  /** The longest sequence the model takes (n_positions, max_position_embeddings, block_size). */
  readonly maximumSequence: Fact<number>;
  readonly activation: Fact<ActivationFunction>;
  readonly tiedEmbeddings: Fact<boolean>;
  /** Linear layers (and LayerNorms, in nanoGPT's sense) have biases. */
  readonly bias: Fact<boolean>;
  /** llama only: the attention's output projection has a bias. Absent means it has none. */
  readonly outputBias?: Fact<boolean>;
  /** llama only: the MLP's projections have biases. Absent means they have none. */
  readonly feedForwardBias?: Fact<boolean>;
  /** What only this family has, under the names of its configuration class; see `ModelShape.settings`. */
  readonly settings?: Readonly<Record<string, Fact<SettingValue>>>;
}

export type DataType = 'bf16' | 'fp16' | 'fp32';
/** `sdpa` is what the code says; which kernel it takes is decided by data type and mask, see `budget/account.ts`. */
export type AttentionImplementation = 'eager' | 'sdpa' | 'flash' | 'efficient' | 'math';

export interface RunSettings {
  /** Sequences in one forward pass on one device (micro-batch). */
  readonly batch: Fact<number>;
  readonly sequence: Fact<number>;
  readonly dataType: Fact<DataType>;
  /** Weights stay fp32 and autocast computes in `dataType` (Trainer's `bf16=True`, `torch.autocast`). */
  readonly autocast: Fact<boolean>;
  readonly attention: Fact<AttentionImplementation>;
  readonly dropout: Fact<number>;
  readonly checkpointing: Fact<CheckpointingNow>;
  // The rest is absent where nothing says it; the budget then takes one device, plain training and AdamW.
  /** Micro-batches in one optimizer step. It does not change the activations. */
  readonly gradientAccumulation?: Fact<number>;
  /** The decoder's sequence of a model that has an encoder too. */
  readonly targetSequence?: Fact<number>;
  readonly optimizer?: Fact<OptimizerName>;
  /** How torch's optimizer steps over its tensors; absent for torch's own choice, which is `foreach` on a GPU. */
  readonly optimizerImplementation?: Fact<OptimizerImplementation>;
  /** LoRA beside frozen weights. */
  readonly adapters?: Fact<Adapters>;
  /** What the frozen base is quantised to. */
  readonly quantisation?: Fact<Quantisation>;
  readonly frozenLayers?: Fact<number>;
  readonly fused?: Fact<FusedKernels>;
  /** How data parallelism spreads what a rank keeps. */
  readonly sharding?: Fact<ShardingName>;
  /** Ranks that share the data: the world divided by the other kinds of parallelism. */
  readonly dataParallel?: Fact<number>;
  readonly tensorParallel?: Fact<number>;
  /** With tensor parallelism: norms and the residual stream are cut along the sequence. */
  readonly sequenceParallel?: Fact<boolean>;
  readonly contextParallel?: Fact<number>;
  readonly pipelineParallel?: Fact<number>;
  readonly expertParallel?: Fact<number>;
  readonly offload?: Fact<OffloadName>;
  /** FSDP only: false where layers keep their gathered weights from forward to backward. */
  readonly reshardAfterForward?: Fact<boolean>;
  /**
   * FSDP only: in which weights lie between the steps, with their gradients and states, where that is not the type they are
   * gathered in to compute (`MixedPrecision(param_dtype=…)`).
   */
  readonly shardType?: Fact<DataType>;
  /** FSDP only: in which gradients travel (`reduce_dtype`); absent for the type that is computed in. */
  readonly reduceType?: Fact<DataType>;
}

/** Low-rank adapters as PEFT's `LoraConfig` describes them. */
export interface Adapters {
  readonly rank: number;
  /** Names of the linear layers that get one (`q_proj`), or all of them except the head. */
  readonly targets: 'all-linear' | readonly string[];
  readonly dropout: number;
  /** Type of the adapters' own weights; PEFT's default keeps them in fp32. */
  readonly elementType: 'fp32' | 'bf16' | 'fp16';
}

export type OptimizerName =
  | 'adamw'
  | 'adamw-8bit'
  | 'paged-adamw'
  | 'paged-adamw-8bit'
  | 'adafactor'
  | 'sgd'
  | 'sgd-momentum'
  | 'lion'
  | 'lion-8bit'
  | 'muon';

/** torch's words. Only `foreach` makes temporaries as large as the weights. */
export type OptimizerImplementation = 'for-loop' | 'foreach' | 'fused';

export type ShardingName =
  | 'ddp'
  | 'zero-1'
  | 'zero-2'
  | 'zero-3'
  | 'fsdp1'
  | 'fsdp2'
  | 'megatron-distributed-optimizer';
export type OffloadName = 'optimizer' | 'parameters-and-optimizer';
export type Quantisation = 'int8' | 'nf4';

/** What the code does about checkpointing as it stands. */
export interface CheckpointingNow {
  readonly mode: CheckpointingMode;
  /** Layers in one segment; 1 where every layer is its own region. */
  readonly segment: number;
  /** What `checkpoint_sequential` is asked for, since the last segment takes what is left over. */
  readonly segments?: number;
  /** Absent where the code leaves it to the library. */
  readonly variant?: 'reentrant' | 'non-reentrant';
  /** Layer i is checkpointed where `i % every == 0`; absent for all. */
  readonly every?: number;
  /** Only the first so many layers are checkpointed; absent for all. */
  readonly layers?: number;
  /** Inputs of regions wait in host memory. */
  readonly offloaded?: boolean;
  /** What does it: `gradient_checkpointing_enable`, `checkpoint_sequential`, `apply_activation_checkpointing`. */
  readonly mechanism?: string;
}

export type CheckpointingMode =
  | 'none'
  | 'full'
  /** The attention core is recomputed, as Megatron's `--recompute-granularity selective` does. */
  | 'selective'
  /** `checkpoint_sequential`: the last segment stays plain. */
  | 'sequential'
  /** Selective activation checkpointing by a policy: results of matrix products and attention are saved. */
  | 'policy'
  /** The same with every second matrix product saved, as torchtitan does. */
  | 'policy-second';
