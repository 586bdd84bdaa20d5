import { countProblem, dividesProblem, type Problem } from './problems.ts';

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
