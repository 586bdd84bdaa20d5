import { html, type TemplateResult } from 'lit/html.js';
import type { AttentionImplementation, CheckpointingNow, DataType, Fact } from '../../server/core/facts/facts.ts';
import type { BudgetView } from '../derive.ts';
import { formatCount } from '../format.ts';
import type { Actions } from './actions.ts';
import { type NumberControl, numberInput, select, slider } from './controls.ts';
import { factRow } from './factRow.ts';
import { type WhatIfRow, whatIfRow } from './whatIfRow.ts';

/** The run as detected; what can be tried out is an input in its place, and says so when it differs from the code. */
export function runSection(view: BudgetView, act: Actions): TemplateResult {
  const { run, runInCode, shown, model } = view;
  const segment: NumberControl = {
    field: 'segment',
    spoken: 'Segment length k, in layers',
    value: view.segment,
    largest: model.layers.value,
  };
  const row = (parts: WhatIfRow) => whatIfRow(parts, view, act);
  const fact = <T>(key: string, label: string, value: string, from: Fact<T>) =>
    factRow({ key, label, value }, from, shown.uri, act);
  return html`
    <ul class="facts run">
      ${row({
        field: 'batch',
        label: 'Micro-batch',
        letter: 'b',
        inCode: runInCode.batch,
        valueInCode: formatCount(runInCode.batch.value),
        unit: run.batch.value === 1 ? 'sequence' : 'sequences',
        control: numberInput(
          { field: 'batch', spoken: 'Micro-batch, in sequences', value: run.batch.value, largest: largestBatch },
          act,
        ),
      })}
      ${row({
        field: 'sequence',
        label: 'Sequence',
        letter: 's',
        inCode: runInCode.sequence,
        valueInCode: formatCount(runInCode.sequence.value),
        unit: 'tokens',
        control: numberInput(
          {
            field: 'sequence',
            spoken: 'Sequence length, in tokens',
            value: run.sequence.value,
            largest: largestSequence,
          },
          act,
        ),
      })}
      ${row({
        field: 'segment',
        label: 'Segment',
        letter: 'k',
        inCode: runInCode.checkpointing,
        valueInCode: String(view.segmentInCode),
        unit: view.segment === 1 ? 'layer' : 'layers',
        control: numberInput(segment, act),
        below: slider(segment, act),
      })}
      ${row({
        field: 'dataType',
        label: 'Data type',
        inCode: runInCode.dataType,
        valueInCode: runInCode.dataType.value,
        control: select(
          { field: 'dataType', test: 'dtype', spoken: 'Data type', options: dataTypes, value: run.dataType.value },
          act,
        ),
      })}
      ${row({
        field: 'attention',
        label: 'Attention',
        inCode: runInCode.attention,
        valueInCode: runInCode.attention.value,
        control: select(
          {
            field: 'attention',
            test: 'attention',
            spoken: 'Attention implementation',
            options: attentions,
            value: run.attention.value,
          },
          act,
        ),
      })}
      ${fact('checkpointing', 'Checkpointing', checkpointingInWords(run.checkpointing.value), run.checkpointing)}
      ${
        run.gradientAccumulation === undefined
          ? ''
          : fact(
              'accumulation',
              'Accumulation',
              `${formatCount(run.gradientAccumulation.value)} steps`,
              run.gradientAccumulation,
            )
      }
      ${fact('dropout', 'Dropout', String(run.dropout.value), run.dropout)}
      ${fact('autocast', 'Autocast', run.autocast.value ? 'on, weights fp32' : 'off', run.autocast)}
    </ul>`;
}

/** Generous ends that keep a slip of the finger from asking for petabytes. */
const largestBatch = 65_536;
const largestSequence = 16_777_216;

const dataTypes: readonly (readonly [DataType, string])[] = [
  ['bf16', 'bf16'],
  ['fp16', 'fp16'],
  ['fp32', 'fp32'],
];

const attentions: readonly (readonly [AttentionImplementation, string])[] = [
  ['eager', 'eager'],
  ['sdpa', 'sdpa'],
  ['flash', 'flash'],
  ['efficient', 'memory-efficient'],
];

const checkpointingInWords = ({ mode, segment }: CheckpointingNow): string =>
  mode === 'full' ? `full, k = ${segment}` : mode;
