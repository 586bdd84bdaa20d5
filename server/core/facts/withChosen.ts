import type { AttentionImplementation, CheckpointingNow, DataType, Fact, RunFacts } from './facts.ts';

/** Values that a person gives beside the file. */
export interface ChosenValues {
  readonly layers?: number | undefined;
  readonly batch?: number | undefined;
  readonly sequence?: number | undefined;
  readonly dataType?: DataType | undefined;
  readonly attention?: AttentionImplementation | undefined;
  readonly dropout?: number | undefined;
  /** Layers in one segment; choosing it switches full checkpointing on. */
  readonly segment?: number | undefined;
}

/** Chosen values beat what the file says; `by` names the flag or the control, for example `--batch` (one text for all, or per value). */
export function withChosen(
  facts: RunFacts,
  chosen: ChosenValues,
  by: string | ((field: keyof ChosenValues) => string),
): RunFacts {
  const fact = <T>(field: keyof ChosenValues, value: T | undefined, read: Fact<T>): Fact<T> =>
    value === undefined ? read : { value, origin: { kind: 'chosen', by: typeof by === 'string' ? by : by(field) } };
  const { model, run } = facts;
  const segment: CheckpointingNow | undefined =
    chosen.segment === undefined ? undefined : { mode: 'full', segment: chosen.segment };
  return {
    ...facts,
    model: model && { ...model, layers: fact('layers', chosen.layers, model.layers) },
    run: {
      ...run,
      batch: fact('batch', chosen.batch, run.batch),
      sequence: fact('sequence', chosen.sequence, run.sequence),
      dataType: fact('dataType', chosen.dataType, run.dataType),
      attention: fact('attention', chosen.attention, run.attention),
      dropout: fact('dropout', chosen.dropout, run.dropout),
      checkpointing: fact('segment', segment, run.checkpointing),
    },
  };
}
