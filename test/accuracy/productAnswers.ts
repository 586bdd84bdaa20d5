import { coreFlopShare, fullUnits, paperParts, scoresShare, selectiveUnits } from '../../server/core/budget/paper.ts';
import type { Answer } from './comparison.ts';
import { accountOf, plainRun, shapeOf, textbook } from './engine.ts';
import type { FormulaRow } from './sections/publishedFormulas.ts';

/** What the product itself says about a row that a published formula gives, in the formula's own unit. */
export function productAnswer(row: FormulaRow): Answer {
  const answer = answers[row.formula];
  if (answer === undefined) return { notCovered: noProductNumber[row.formula] ?? 'the product shows no such number' };
  return answer(row.args, row);
}

// biome-ignore lint/suspicious/noExplicitAny: rows carry the arguments of their own formula.
type ProductAnswer = (args: any, row: FormulaRow) => Answer;

const paperSizes = (args: Record<'s' | 'h' | 'a', number> & { b?: number }) => ({
  batch: args.b ?? 1,
  sequence: args.s,
  hidden: args.h,
  heads: args.a,
});

const answers: Readonly<Record<string, ProductAnswer>> = {
  kort_layer(args, row) {
    if ((args.t ?? 1) > 1) return { notCovered: 'activations under tensor parallelism' };
    if (row.kind === 'autograd') return blockAnswer(args, row);
    return { value: paperParts(paperSizes(args)).reduce((sum, { bytes }) => sum + bytes, 0) };
  },
  sel_saving_pct: (args) => ({ value: 100 * scoresShare(paperSizes(args)) }),
  segment_model_f_pct: (args) => ({ value: 100 * coreFlopShare(paperSizes({ ...args, a: 1 })) }),
  peak_none: ({ L, A }) => ({ value: L * A }),
  segment_model_full: ({ L, k, A }) => ({ value: fullUnits(L, k) * A }),
  segment_model_selective: ({ L, k, A, m }) => ({ value: selectiveUnits(L, k, m) * A }),
  gpt_saved: (args, row) => blockAnswer(args, row),
  llama_saved(args) {
    if (args.norm === 'fused' || args.mlp === 'fused') return { notCovered: 'fused norm and MLP kernels' };
    const shape = shapeOf({
      model_type: args.qk_norm ? 'qwen3' : 'llama',
      hidden_size: args.h,
      num_attention_heads: args.a,
      // SDPA with repeated keys and values keeps them as if every query head had its own.
      num_key_value_heads: args.attn === 'sdpa_rep' ? args.a : args.kv,
      head_dim: args.hd,
      intermediate_size: args.I,
      num_hidden_layers: 2,
      vocab_size: 100,
    });
    const attention = args.attn === 'eager' ? 'eager' : 'flash';
    const account = accountOf(shape, { ...plainRun, batch: args.b, sequence: args.s, attention });
    if (typeof account === 'string') return { notCovered: account };
    // The fused kernel keeps its random state, which the row's CPU stand-in for it does not have.
    return { value: account.layerBytes - (attention === 'flash' ? flashRandomState : 0) };
  },
};

const flashRandomState = 24;

const noProductNumber: Readonly<Record<string, string>> = {
  mfu: 'utilisation from measured times',
  hfu_from_mfu: 'utilisation from measured times',
  thr_gain: 'throughput from measured times',
};

function blockAnswer(args: Record<'b' | 's' | 'h' | 'a', number> & { mode?: string }, row: FormulaRow): Answer {
  const account = accountOf(textbook(args.h, args.a, 2), {
    ...plainRun,
    batch: args.b,
    sequence: args.s,
    attention: 'eager',
    dropout: 0.1,
  });
  if (typeof account === 'string') return { notCovered: account };
  if (args.mode === 'full') return { value: account.boundaryBytes };
  if (args.mode === 'selective') {
    const selective = account.strategies.find(({ name }) => name === 'selective');
    return selective ? { notCovered: `kept under ${row.id}` } : { notCovered: 'selective' };
  }
  return { value: account.layerBytes };
}
