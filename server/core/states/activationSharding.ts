import { countProblem, dividesProblem, type Problem } from './problems.ts';

/** Sizes of the parallelism that touches activations; 1 = off. */
export interface ActivationParallelism {
  readonly tensorParallel: number;
  /** Norms, dropout and the residual stream are cut along the sequence too (`sequence_parallel`, `SequenceParallel`). */
  readonly sequenceParallel: boolean;
  /**
   * Who gathers the sequence before a linear. `megatron` keeps its own piece and gathers it again in backward; with torch's
   * DTensor the linear keeps the gathered input.
   */
  readonly sequenceGather: 'megatron' | 'dtensor';
  readonly contextParallel: number;
  readonly expertParallel: number;
}

/**
 * By how much the bytes of each kind of tensor in a layer shrink on one rank. Tensors of a layer are of four kinds:
 * attention scores; what lies between a column-cut and a row-cut linear (queries, keys, values, the MLP's wide tensors);
 * inputs of column-cut linears; and the residual stream with norms and dropout masks.
 */
export interface ActivationDivisors {
  readonly attentionScores: number;
  readonly insideBlocks: number;
  readonly linearInputs: number;
  readonly residualStream: number;
  /** Logits, cut along the vocabulary where the loss is vocabulary-parallel. */
  readonly logits: number;
  /** One layer's input, which a checkpoint keeps. */
  readonly layerInput: number;
  /** Low-precision copies of weights under autocast. */
  readonly weightCopies: number;
  /** With balanced routing experts on one rank see as many tokens as without expert parallelism. */
  readonly expertTokens: number;
}

/**
 * Tensor parallelism divides scores and what is inside blocks by t (Korthikanti et al. 2022, eq. 2); with sequence
 * parallelism the rest as well (eq. 4). Context parallelism divides everything by c: each rank has its share of the queries.
 */
export function activationDivisors(setup: ActivationParallelism): {
  readonly divisors: ActivationDivisors | undefined;
  readonly problems: readonly Problem[];
} {
  const { tensorParallel: t, contextParallel: c } = setup;
  const problems = [
    ...countProblem('tensorParallel', t),
    ...countProblem('contextParallel', c),
    ...countProblem('expertParallel', setup.expertParallel),
  ];
  if (problems.length > 0) return { divisors: undefined, problems };
  const stream = setup.sequenceParallel ? t * c : c;
  return {
    divisors: {
      attentionScores: t * c,
      insideBlocks: t * c,
      linearInputs: setup.sequenceGather === 'megatron' ? stream : c,
      residualStream: stream,
      logits: t * c,
      layerInput: stream,
      weightCopies: t,
      expertTokens: 1,
    },
    problems,
  };
}

/** Divided sizes must come out even; what does not is said before anything is computed. */
export function activationProblems(
  setup: ActivationParallelism,
  sizes: { readonly sequence: number; readonly heads: number },
): readonly Problem[] {
  const { tensorParallel, contextParallel } = setup;
  const { problems } = activationDivisors(setup);
  if (problems.length > 0) return problems;
  const pieces = contextParallel * (setup.sequenceParallel ? tensorParallel : 1);
  return [
    ...dividesProblem('tensorParallel', sizes.heads, tensorParallel, 'the attention heads'),
    ...dividesProblem('contextParallel × sequence parallel ranks', sizes.sequence, pieces, 'the sequence length'),
  ];
}

export interface PipelineSchedule {
  readonly kind: 'gpipe' | '1f1b' | 'interleaved';
  readonly stages: number;
  /** 0 = first. */
  readonly stage: number;
  /** Pieces of the model on one stage; 1 but for `interleaved`. */
  readonly chunks: number;
  readonly microBatches: number;
}

/**
 * Micro-batches whose activations a stage holds at its peak, in units of the stage's own layers. GPipe holds all m. 1F1B
 * holds p − i on stage i. Interleaved: the chunks that are warmed up, `2(p − i − 1) + (v − 1)p + 1`, each 1/v of the stage's
 * layers; on the first stage that is `p(1 + (p − 1)/(pv))`, the factor of Korthikanti et al. 2022. Never more than m.
 */
export function microBatchesInFlight(schedule: PipelineSchedule): {
  readonly microBatches: number | undefined;
  readonly problems: readonly Problem[];
} {
  const { stages, stage, chunks, microBatches } = schedule;
  const problems = [
    ...countProblem('pipeline.stages', stages),
    ...countProblem('pipeline.chunks', chunks),
    ...countProblem('pipeline.microBatches', microBatches),
  ];
  if (problems.length === 0) problems.push(...countProblem('pipeline.stage', stage, 0, stages - 1));
  if (schedule.kind === 'interleaved' && problems.length === 0)
    problems.push(...dividesProblem('pipeline.stages', microBatches, stages, 'the micro-batches, when interleaved'));
  if (problems.length > 0) return { microBatches: undefined, problems };
  return { microBatches: Math.min(microBatches, heldAtPeak(schedule)), problems };
}

function heldAtPeak({ kind, stages, stage, chunks, microBatches }: PipelineSchedule): number {
  if (kind === 'gpipe') return microBatches;
  if (kind === '1f1b' || stages === 1) return stages - stage;
  return (2 * (stages - stage - 1) + (chunks - 1) * stages + 1) / chunks;
}
