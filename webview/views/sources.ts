import { html, type TemplateResult } from 'lit/html.js';
import type { CheckpointingNow, Fact, LostValue } from '../../server/core/facts/facts.ts';
import { familyNamed } from '../../server/core/families/generated/registry.ts';
import { modelFactsByName, runFactsByName } from '../../server/core/report/budgetReport.ts';
import type { BudgetView } from '../derive.ts';
import { deviceOf } from '../deviceName.ts';
import { formatBytes, formatCount } from '../format.ts';
import { t } from '../l10n.ts';
import { hasAttention } from '../modelKind.ts';
import { originMark } from '../origin.ts';
import type { FileFacts } from '../protocol.ts';
import { describeCheckpointing } from '../words.ts';
import type { Actions } from './actions.ts';
import { type FactLabel, factRow } from './factRow.ts';
import { optimizers, shardings } from './trainingRows.ts';

/** Every value the numbers rest on: where it is from, a way to its line, and what else was said and does not count. */
export function sources(view: BudgetView, act: Actions): TemplateResult {
  const { model, run, device, units } = view;
  const isUsed = (field: string): boolean => !ofAttention.has(field) || hasAttention(view);
  const rows = (facts: readonly (readonly [string, Fact<unknown>])[]) =>
    facts.map(([field, fact]) => sourceRows(field, fact, view, act));
  return html`
    <h3>${t('Model')}</h3>
    <ul class="facts">${rows(modelFactsByName(model).filter(([field]) => field !== 'name' && isUsed(field)))}</ul>
    <h3>${t('Run')}</h3>
    <ul class="facts run">${rows(runFactsByName(model, run).filter(([field]) => isUsed(field)))}</ul>
    ${
      device === undefined
        ? ''
        : html`<h3>${t('Device')}</h3><ul class="facts run"><li><div class="fact" title=${device.memorySource}>
            <span class="label">${deviceOf(device, units)}</span><span class="value">${formatBytes(device.memoryBytes, units)}</span>
            <span class="mark">${t('chosen')}</span></div></li></ul><p class="quiet">${device.memorySource}</p>`
    }`;
}

/** What a model without attention (ResNet) has no use for. */
const ofAttention: ReadonlySet<string> = new Set(['heads', 'keyValueHeads', 'headDimension', 'attention']);

/** One value, and below it what it beats. */
export function sourceRows(
  field: string,
  fact: Fact<unknown>,
  { shown }: { readonly shown: Pick<FileFacts, 'uri'> },
  act: Actions,
): TemplateResult {
  const label: FactLabel = {
    ...labels()[field],
    key: keyOf(field),
    label: labels()[field]?.label ?? field,
    value: valueText(field, fact.value),
  };
  return html`${factRow(label, fact, shown.uri, act)}${(fact.lost ?? []).map((lost) => lostRow(field, lost, shown.uri, act))}`;
}

/** A value that another one beats: said, so that nobody looks for it in vain. */
function lostRow(field: string, { value, origin }: LostValue, shownUri: string, act: Actions): TemplateResult {
  const { mark, sentence, place } = originMark({ value, origin }, shownUri);
  const content = html`<span class="label">${t('not counted')}</span><span class="value"><s>${valueText(field, value)}</s></span><span class="mark">${mark}</span>`;
  return place === undefined
    ? html`<li><div class="fact lost" title=${sentence}>${content}</div></li>`
    : html`<li><button class="fact lost" title=${sentence} @click=${() => act.reveal(place)}>${content}</button></li>`;
}

/** `fact-head-dimension` is the name tests know a value by. */
const keyOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const labels = (): Readonly<
  Record<string, { readonly label: string; readonly letter?: string; readonly unit?: string }>
> => ({
  family: { label: t('Family') },
  layers: { label: t('Layers'), letter: 'L' },
  hidden: { label: t('Hidden size'), letter: 'h' },
  heads: { label: t('Query heads'), letter: 'a' },
  keyValueHeads: { label: t('KV heads'), letter: 'kv' },
  headDimension: { label: t('Head size'), letter: 'd' },
  feedForward: { label: t('Feed-forward'), letter: 'f' },
  vocabulary: { label: t('Vocabulary'), letter: 'V' },
  maximumSequence: { label: t('Context length'), unit: t('tokens') },
  activation: { label: t('Activation') },
  tiedEmbeddings: { label: t('Tied weights') },
  bias: { label: t('Biases') },
  outputBias: { label: t('Output bias') },
  feedForwardBias: { label: t('MLP biases') },
  batch: { label: t('Micro-batch'), letter: 'b' },
  sequence: { label: t('Sequence'), letter: 's', unit: t('tokens') },
  dataType: { label: t('Data type') },
  autocast: { label: t('Autocast') },
  attention: { label: t('Attention') },
  dropout: { label: t('Dropout') },
  checkpointing: { label: t('Checkpointing') },
  gradientAccumulation: { label: t('Accumulation'), unit: t('steps') },
  targetSequence: { label: t('Target sequence'), unit: t('tokens') },
  optimizer: { label: t('Optimizer') },
  optimizerImplementation: { label: t('Optimizer step') },
  adapters: { label: t('Adapters') },
  quantisation: { label: t('Quantised base') },
  frozenLayers: { label: t('Frozen layers') },
  fused: { label: t('Fused kernels') },
  sharding: { label: t('Sharding') },
  shardType: { label: t('Shards in') },
  reduceType: { label: t('Gradients reduced in') },
  reshardAfterForward: { label: t('Resharded after forward') },
  dataParallel: { label: t('Data-parallel ranks') },
  tensorParallel: { label: t('Tensor-parallel ranks') },
  sequenceParallel: { label: t('Sequence parallel') },
  contextParallel: { label: t('Context-parallel ranks') },
  pipelineParallel: { label: t('Pipeline stages') },
  expertParallel: { label: t('Expert-parallel ranks') },
  offload: { label: t('Offload') },
});

/** As the controls call it. */
const nameIn = (options: readonly (readonly [string, string])[], value: unknown): string =>
  options.find(([name]) => name === value)?.[1] ?? String(value);

function valueText(field: string, value: unknown): string {
  if (field === 'family') return familyNamed(String(value))?.label ?? String(value);
  if (field === 'optimizer') return nameIn(optimizers(), value);
  if (field === 'sharding') return nameIn(shardings(), value);
  if (typeof value === 'number') return formatCount(value);
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return t('none');
  if (field === 'checkpointing' && typeof value === 'object' && 'mode' in value) {
    return describeCheckpointing(value as CheckpointingNow);
  }
  if (Array.isArray(value)) return value.map((each) => valueText('', each)).join(', ');
  return Object.entries(value)
    .map(([name, each]) => `${name} ${valueText('', each)}`)
    .join(', ');
}
