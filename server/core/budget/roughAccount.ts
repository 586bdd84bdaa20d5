import type { ModelShape, RoughAccount, RunShape } from './account.ts';
import { pytorchAccount } from './pytorch.ts';

/**
 * A range for a family nobody has written yet: the textbook block with a two-matrix MLP and the gated block with rotary
 * positions bracket most decoders and encoders of these sizes; a quarter on either side is for what neither of them does.
 */
export function roughAccount(model: ModelShape, run: RunShape, segment: number): RoughAccount | undefined {
  const like = (family: string): ModelShape => ({ ...model, family, headDimension: model.hidden / model.heads });
  const divides = model.hidden % model.heads === 0 && (model.hidden / model.heads) % 2 === 0;
  const accounts = divides
    ? [
        pytorchAccount({ ...like('gpt2'), activation: 'gelu', bias: true }, run, segment),
        pytorchAccount({ ...like('llama'), activation: 'silu', bias: false }, run, segment),
      ].filter((account) => account !== undefined)
    : [];
  const peaks = accounts.map(({ strategies }) => strategies);
  const range = (name: 'none' | 'full') => {
    const bytes = peaks.flatMap((strategies) => strategies.find((each) => each.name === name)?.peakBytes ?? []);
    return { lowBytes: Math.min(...bytes) / (1 + slack), highBytes: Math.max(...bytes) * (1 + slack) };
  };
  return accounts.length === 0 ? undefined : { none: range('none'), full: range('full') };
}

const slack = 0.25;
