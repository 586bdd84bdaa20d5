import type { StrategyName } from '../server/core/budget/account.ts';
import type { Plan, Treatment } from '../server/core/budget/plan.ts';
import type { CheckpointingNow } from '../server/core/facts/facts.ts';
import type { Moment } from '../server/core/total/totalMemory.ts';
import { keepTogether } from './format.ts';
import { t } from './l10n.ts';

/** What code does about checkpointing, for a sentence: `full checkpointing, k = 4`. */
export function describeCheckpointing(now: CheckpointingNow): string {
  const more = [
    ...(now.layers === undefined ? [] : [t('first {0} layers only', now.layers)]),
    ...(now.offloaded === true ? [t('inputs offloaded')] : []),
    ...(now.variant === 'reentrant' ? [t('reentrant')] : []),
  ];
  return [keepTogether(modeInWords(now)), ...more].join(', ');
}

function modeInWords({ mode, segment, every }: CheckpointingNow): string {
  switch (mode) {
    case 'none':
      return t('no checkpointing');
    case 'selective':
      return t('attention core recomputed');
    case 'sequential':
      return t('checkpoint_sequential, k = {0}', segment);
    case 'policy':
      return t('selective, matrix products and attention saved');
    case 'policy-second':
      return t('selective, every second matrix product saved');
    case 'full':
      if (every === undefined || every === 1) return t('full checkpointing, k = {0}', segment);
      return every === 2 ? t('every second layer checkpointed') : t('one layer in {0} checkpointed', every);
  }
}

/** Short, for a table's first column. */
export const strategyLabel = (name: StrategyName): string =>
  ({
    none: t('None'),
    full: t('Full'),
    selective: t('Attention core'),
    'every-second': t('Every second layer'),
    sequential: 'checkpoint_sequential',
    policy: t('Save products, attention'),
    'policy-second': t('Save every 2nd product'),
    offload: t('Full, offloaded'),
  })[name];

/** A plan by what happens to how many layers: `6 kept whole, 18 checkpointed`. */
export function describePlan(plan: Plan): string {
  const counts = new Map<string, number>();
  for (const { layers, treatment } of plan) {
    const words = treatmentInWords(treatment, layers);
    counts.set(words, (counts.get(words) ?? 0) + layers);
  }
  return [...counts].map(([words, layers]) => t('{0} {1}', layers, words)).join(', ');
}

function treatmentInWords(treatment: Treatment, layers: number): string {
  switch (treatment.kind) {
    case 'plain':
      return t('kept whole');
    case 'part':
      return t('with the attention core recomputed');
    case 'checkpoint': {
      const { policy, offloaded } = treatment;
      if (policy !== undefined) return t('checkpointed selectively');
      if (offloaded) return t('checkpointed, inputs offloaded');
      return layers > 1 ? t('checkpointed in segments of {0}', layers) : t('checkpointed');
    }
  }
}

/** What runs now, which is not what the code says where something is tried. */
export const nowLabel = ({ changed }: { readonly changed: ReadonlySet<unknown> }): string =>
  changed.size > 0 ? t('With your changes') : t('As it stands');

export const momentInWords = (phase: Moment['phase']): string =>
  ({
    forward: t('in the forward pass'),
    loss: t('while the loss is computed'),
    replay: t('while a segment is replayed'),
    backward: t('in the backward pass'),
    step: t('while the optimizer steps'),
  })[phase];
