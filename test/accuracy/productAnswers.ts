import type { RunShape } from '../../server/core/budget/account.ts';
import { coreFlopShare, fullUnits, paperParts, scoresShare, selectiveUnits } from '../../server/core/budget/paper.ts';
import { noCheckpoints, partRecomputed, segmentsOf } from '../../server/core/budget/plan.ts';
import { type ActivationDivisors, activationDivisors } from '../../server/core/states/activationSharding.ts';
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
  kort_layer: (args, row) =>
    row.kind === 'autograd' ? blockAnswer(args) : { value: parallelLayerBytes(args, args.mode ?? 'none') },
  kort_total: ({ L, emb = false, ...args }) => ({
    value:
      L * parallelLayerBytes(args, args.mode ?? 'none') +
      (emb ? (args.b * args.s * args.h) / divisors(args).residualStream : 0),
  }),
  kort_percent: (args) => ({
    value:
      (100 * parallelLayerBytes({ ...args, b: 1 }, args.mode)) /
      parallelLayerBytes({ ...args, b: 1, sp: false }, 'none'),
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

/** Korthikanti's layer on one rank: the paper account's parts, divided as the product divides each kind of tensor. */
function parallelLayerBytes(args: ParallelSizes, mode: string): number {
  const by = divisors(args);
  const bsh = (args.b ?? 1) * args.s * args.h;
  if (mode === 'full') return (2 * bsh) / by.layerInput;
  const [scores, attention, mlp, norms] = paperParts(paperSizes(args)).map(({ bytes }) => bytes);
  // Of attention's 11bsh and the MLP's 19bsh, 2 are the first linear's input and 1 a dropout mask, in each.
  const outsideBlocks = { linearInputs: 4 * bsh, residualStream: 2 * bsh + (norms ?? 0) };
  const inside = (attention ?? 0) + (mlp ?? 0) - 6 * bsh;
  return (
    (mode === 'selective' ? 0 : (scores ?? 0) / by.attentionScores) +
    inside / by.insideBlocks +
    outsideBlocks.linearInputs / by.linearInputs +
    outsideBlocks.residualStream / by.residualStream
  );
}

type ParallelSizes = Record<'s' | 'h' | 'a', number> & { b?: number; t?: number; cp?: number; sp?: boolean };

function divisors({ t = 1, cp = 1, sp = false }: { t?: number; cp?: number; sp?: boolean }): ActivationDivisors {
  const { divisors: by } = activationDivisors({
    tensorParallel: t,
    contextParallel: cp,
    expertParallel: 1,
    sequenceParallel: sp,
    sequenceGather: 'megatron',
  });
  if (by === undefined) throw new Error(`no divisors for t = ${t}, cp = ${cp}`);
  return by;
}

function blockAnswer(args: Record<'b' | 's' | 'h' | 'a', number> & { mode?: string }): Answer {
  const run: RunShape = { ...metaRun, batch: args.b, sequence: args.s, attention: 'eager', dropout: 0.1 };
  const step = stepOf(textbook(args.h, args.a, 4), run);
  if (typeof step === 'string') return { notCovered: step };
  const plans = { none: noCheckpoints(4), full: segmentsOf(4, 1), selective: partRecomputed(4, 'attention-scores') };
  const plan = plans[(args.mode ?? 'none') as keyof typeof plans];
  return { value: simulatedBare(step, plan).keptPerLayerBytes };
}
