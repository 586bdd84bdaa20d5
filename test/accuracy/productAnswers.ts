import type { RunShape } from '../../server/core/budget/account.ts';
import { coreFlopShare, fullUnits, scoresShare, selectiveUnits } from '../../server/core/budget/paper.ts';
import { noCheckpoints, partRecomputed, segmentsOf } from '../../server/core/budget/plan.ts';
import { rankShape } from '../../server/core/total/rankShape.ts';
import { sequenceParallelStep } from '../../server/core/total/sequenceParallel.ts';
import type { Answer } from './comparison.ts';
import { accountOf, metaRun, shapeOf, simulatedBare, stepOf, textbook } from './engine.ts';
import { stateAnswers } from './productStates.ts';
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
  ...Object.fromEntries(
    Object.entries(stateAnswers).map(([formula, compute]): [string, ProductAnswer] => [
      formula,
      (args) => {
        const value = (compute as (args: unknown) => number | undefined)(args);
        return value === undefined ? { notCovered: `${args.k} bytes a parameter` } : { value };
      },
    ]),
  ),
  kort_layer: (args, row) => (row.kind === 'autograd' ? blockAnswer(args) : { value: rankLayerBytes(args) }),
  kort_total: ({ L, emb = false, ...args }) => ({
    value:
      L * rankLayerBytes(args) +
      // The embedding's dropout mask, a byte an element.
      (emb ? (args.b * args.s * args.h) / ((args.cp ?? 1) * (args.sp ? (args.t ?? 1) : 1)) : 0),
  }),
  kort_percent: (args) => ({
    value: (100 * rankLayerBytes({ ...args, b: 1 })) / rankLayerBytes({ ...args, b: 1, sp: false, mode: 'none' }),
  }),
  sel_saving_pct: (args) => ({ value: 100 * scoresShare(paperSizes(args)) }),
  segment_model_f_pct: (args) => ({ value: 100 * coreFlopShare(paperSizes({ ...args, a: 1 })) }),
  peak_none: ({ L, A }) => ({ value: L * A }),
  segment_model_full: ({ L, k, A }) => ({ value: fullUnits(L, k) * A }),
  segment_model_selective: ({ L, k, A, m }) => ({ value: selectiveUnits(L, k, m) * A }),
  gpt_saved: (args) => blockAnswer(args),
  llama_saved(args) {
    if (args.mlp === 'fused') return { notCovered: 'a fused gated MLP' };
    const shape = shapeOf({
      model_type: args.qk_norm ? 'qwen3' : 'llama',
      hidden_size: args.h,
      num_attention_heads: args.a,
      num_key_value_heads: args.kv,
      head_dim: args.hd,
      intermediate_size: args.I,
      num_hidden_layers: 2,
      vocab_size: 100,
    });
    const kernel = kernels[args.attn as keyof typeof kernels];
    const run = { ...metaRun, batch: args.b, sequence: args.s, attention: kernel.attention };
    const account = accountOf(shape, args.norm === 'fused' ? { ...run, fused: { norm: true } } : run);
    if (typeof account === 'string') return { notCovered: account };
    return { value: account.layerBytes - kernel.randomStateBytes };
  },
};

/** Fused kernels keep their random state, which the rows' stand-ins for them on the CPU do not have. */
const kernels = {
  eager: { attention: 'eager', randomStateBytes: 0 },
  // SDPA after keys and values were repeated for every query head.
  sdpa_rep: { attention: 'efficient', randomStateBytes: 16 },
  fa2: { attention: 'flash', randomStateBytes: 24 },
} as const;

const noProductNumber: Readonly<Record<string, string>> = {
  mfu: 'utilisation from measured times',
  hfu_from_mfu: 'utilisation from measured times',
  thr_gain: 'throughput from measured times',
};

/** A layer of Korthikanti et al. on one rank, by the engine; a sentence where there is none. */
function rankLayerBytes(args: ParallelSizes): number {
  const { b = 1, s, h, a, t = 1, cp = 1, sp = false, mode = 'none' } = args;
  const shape = textbook(h, a, 4);
  if (typeof shape === 'string') throw new Error(shape);
  const whole: RunShape = { ...metaRun, batch: b, sequence: s, attention: 'eager', dropout: 0.1 };
  const { model, run, problems } = rankShape(shape, whole, { tensorParallel: t, contextParallel: cp });
  const step = problems.length > 0 ? 'ranks do not divide it' : stepOf(model, run);
  if (typeof step === 'string') throw new Error(step);
  const { keptPerLayerBytes } = simulatedBare(sp ? sequenceParallelStep(step, t) : step, plans[mode]);
  // The published formulas leave out what two norms keep beside tensors: a mean and a deviation in fp32 for each token.
  const statistics = mode === 'full' ? 0 : (2 * 2 * 4 * b * s) / (cp * (sp ? t : 1));
  return keptPerLayerBytes - statistics;
}

interface ParallelSizes extends Record<'s' | 'h' | 'a', number> {
  readonly b?: number;
  readonly t?: number;
  readonly cp?: number;
  readonly sp?: boolean;
  readonly mode?: keyof typeof plans;
}

const plans = { none: noCheckpoints(4), full: segmentsOf(4, 1), selective: partRecomputed(4, 'attention-scores') };

function blockAnswer(args: Record<'b' | 's' | 'h' | 'a', number> & { mode?: string }): Answer {
  const run: RunShape = { ...metaRun, batch: args.b, sequence: args.s, attention: 'eager', dropout: 0.1 };
  const step = stepOf(textbook(args.h, args.a, 4), run);
  if (typeof step === 'string') return { notCovered: step };
  const plan = plans[(args.mode ?? 'none') as keyof typeof plans];
  return { value: simulatedBare(step, plan).keptPerLayerBytes };
}
