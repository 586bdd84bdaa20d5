import type { TemplateResult } from 'lit/html.js';
import { readsImages } from '../../server/core/budget/readsImages.ts';
import type {
  AttentionImplementation,
  DataType,
  OptimizerName,
  Quantisation,
  ShardingName,
} from '../../server/core/facts/facts.ts';
import type { BudgetView } from '../derive.ts';
import { formatCount } from '../format.ts';
import { t } from '../l10n.ts';
import { hasAttention } from '../modelKind.ts';
import { type LossKind, valuesInCode, type WhatIfField } from '../whatIf.ts';
import type { Actions } from './actions.ts';
import { type NumberControl, numberInput, select } from './controls.ts';
import type { WhatIfRow } from './whatIfRow.ts';

/** How the run computes, keeps its states and spreads them over ranks. */
export function trainingRows(view: BudgetView, act: Actions): readonly WhatIfRow[] {
  const { model, run, runInCode } = view;
  const inCode = valuesInCode(runInCode);
  const tried = valuesInCode(run);
  const choice = <T extends string>(
    field: WhatIfField & keyof typeof inCode,
    test: string,
    label: string,
    options: readonly (readonly [T, string])[],
    fact: WhatIfRow['inCode'],
  ): WhatIfRow => ({
    field,
    label,
    inCode: fact,
    valueInCode: options.find(([value]) => value === inCode[field])?.[1] ?? String(inCode[field]),
    control: select<T>({ field, test, spoken: label, options, value: tried[field] as T }, act),
  });
  const count = (
    control: Omit<NumberControl, 'spoken' | 'value'>,
    label: string,
    unit: string,
    fact: WhatIfRow['inCode'],
  ): WhatIfRow => ({
    field: control.field,
    label,
    inCode: fact,
    valueInCode: formatCount(inCode[control.field]),
    unit,
    control: numberInput(
      { ...control, spoken: `${label}, ${unit}`, value: tried[control.field] },
      act,
    ) as TemplateResult,
  });
  return [
    choice('dataType', 'dtype', t('Data type'), dataTypes, runInCode.dataType),
    {
      field: 'autocast',
      label: t('Autocast'),
      inCode: runInCode.autocast,
      valueInCode: autocastLabel(inCode.autocast),
      control: select(
        {
          field: 'autocast',
          test: 'autocast',
          spoken: t('Autocast'),
          options: [
            ['off', autocastLabel(false)],
            ['on', autocastLabel(true)],
          ],
          value: tried.autocast ? 'on' : 'off',
          changeOf: (value) => ({ autocast: value === 'on' }),
        },
        act,
      ),
    },
    ...(hasAttention(view)
      ? [choice('attention', 'attention', t('Attention'), attentions(), runInCode.attention)]
      : []),
    // Classes of images are few: there are no logits worth fusing.
    ...(readsImages(model.family.value) ? [] : [choice('loss', 'loss', t('Loss'), losses(), runInCode.fused)]),
    choice('optimizer', 'optimizer', t('Optimizer'), optimizers(), runInCode.optimizer),
    choice('sharding', 'sharding', t('Sharding'), shardings(), runInCode.sharding),
    count(
      { field: 'ranks', largest: 65_536, isDisabled: tried.sharding === 'none' },
      t('Ranks'),
      t('data parallel'),
      runInCode.dataParallel,
    ),
    count(
      { field: 'accumulation', largest: 65_536 },
      t('Accumulation'),
      t('micro-batches'),
      runInCode.gradientAccumulation,
    ),
    count({ field: 'adapters', smallest: 0, largest: 4096 }, t('LoRA rank'), t('0 trains all'), runInCode.adapters),
    ...(tried.adapters > 0
      ? [choice('quantisation', 'quantisation', t('Frozen base'), quantisations(), runInCode.quantisation)]
      : []),
  ];
}

const autocastLabel = (isOn: boolean): string => (isOn ? t('on, weights fp32') : t('off'));

const dataTypes: readonly (readonly [DataType, string])[] = [
  ['bf16', 'bf16'],
  ['fp16', 'fp16'],
  ['fp32', 'fp32'],
];

const attentions = (): readonly (readonly [AttentionImplementation, string])[] => [
  ['eager', 'eager'],
  ['sdpa', 'sdpa'],
  ['flash', 'flash'],
  ['efficient', t('memory-efficient')],
  ['math', 'math'],
];

const losses = (): readonly (readonly [LossKind, string])[] => [
  ['plain', t('plain')],
  ['chunked', t('chunked')],
  ['fused', t('fused')],
];

export const optimizers = (): readonly (readonly [OptimizerName, string])[] => [
  ['adamw', 'AdamW'],
  ['adamw-8bit', t('AdamW, 8-bit')],
  ['paged-adamw', t('AdamW, paged')],
  ['paged-adamw-8bit', t('AdamW, 8-bit, paged')],
  ['adafactor', 'Adafactor'],
  ['sgd', 'SGD'],
  ['sgd-momentum', t('SGD with momentum')],
  ['lion', 'Lion'],
  ['lion-8bit', t('Lion, 8-bit')],
  ['muon', 'Muon'],
];

export const shardings = (): readonly (readonly [ShardingName | 'none', string])[] => [
  ['none', t('none')],
  ['ddp', 'DDP'],
  ['zero-1', 'ZeRO 1'],
  ['zero-2', 'ZeRO 2'],
  ['zero-3', 'ZeRO 3'],
  ['fsdp1', 'FSDP'],
  ['fsdp2', 'FSDP 2'],
  ['megatron-distributed-optimizer', t('Megatron’s optimizer')],
];

const quantisations = (): readonly (readonly [Quantisation | 'none', string])[] => [
  ['none', t('not quantised')],
  ['int8', 'int8'],
  ['nf4', 'nf4 (QLoRA)'],
];
