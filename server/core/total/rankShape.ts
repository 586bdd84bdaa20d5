import type { ModelShape, RunShape, SettingValue } from '../budget/account.ts';
import { familyNamed } from '../families/generated/registry.ts';
import { dividesProblem, type Problem } from '../states/problems.ts';

/** How one model is spread over ranks as far as its layers' tensors are concerned; 1 = off. */
export interface LayerParallelism {
  readonly tensorParallel: number;
  readonly contextParallel: number;
}

/** The model and the run as one rank sees them. */
export interface RankShape {
  readonly model: ModelShape;
  readonly run: RunShape;
  readonly problems: readonly Problem[];
}

/**
 * Tensor parallelism cuts heads, the MLP's width and the vocabulary, and leaves the hidden size whole (Shoeybi et al. 2019);
 * key/value heads fewer than ranks are copied. Context parallelism gives each rank its share of the sequence.
 */
export function rankShape(
  model: ModelShape,
  run: RunShape,
  { tensorParallel: t, contextParallel: c }: LayerParallelism,
): RankShape {
  const family = familyNamed(model.family);
  if (t > 1 && family?.undivided === true) {
    const accepted = `1: tensor parallelism is not followed for ${family.label}`;
    return { model, run, problems: [{ field: 'tensorParallel', given: String(t), accepted }] };
  }
  const divided = family?.dividedSettings ?? [];
  const settings = Object.entries(model.settings ?? {}).map(([name, value]): [string, SettingValue] => [
    name,
    divided.includes(name) && typeof value === 'number' ? value / t : value,
  ]);
  const problems = [
    ...dividesProblem('tensorParallel', model.heads, t, 'the attention heads'),
    ...dividesProblem('tensorParallel', model.feedForward, t, 'the feed-forward width'),
    ...dividesProblem('contextParallel', run.sequence, c, 'the sequence length'),
  ];
  return {
    model:
      t === 1
        ? model
        : {
            ...model,
            heads: model.heads / t,
            keyValueHeads: Math.max(1, Math.floor(model.keyValueHeads / t)),
            feedForward: model.feedForward / t,
            vocabulary: Math.ceil(model.vocabulary / t),
            ...(model.settings && { settings: Object.fromEntries(settings) }),
          },
    run: c === 1 ? run : { ...run, sequence: run.sequence / c },
    problems,
  };
}
