import rows from '../../goldens/published-runs.json';
import { type Answer, type Comparison, meanBar, notCoveredLines, type Section, worstBar } from '../comparison.ts';
import { fitcheckAnswer } from '../measured/fitcheckRuns.ts';
import { headAnswer } from '../measured/headRuns.ts';
import { mosaicAnswer } from '../measured/mosaicRuns.ts';
import { preflightAnswer } from '../measured/preflightRuns.ts';
import { torchtuneAnswer } from '../measured/torchtuneRuns.ts';

export interface RunRow {
  readonly id: string;
  readonly expected: number;
  readonly unit: string;
  /** `measured` on hardware by others, or an `estimate` another tool printed. */
  readonly kind: string;
  readonly formula?: string;
  // biome-ignore lint/suspicious/noExplicitAny: every formula has its own arguments.
  readonly args?: any;
  readonly config?: unknown;
  readonly source: string;
  readonly note?: string;
}

export const runRows = rows as readonly RunRow[];

/** Runs others measured on hardware, through the same engine, with nothing fitted to a row. */
export function measuredRuns(): Section {
  const comparisons = runRows.filter(({ kind }) => kind === 'measured').map(compare);
  return {
    title: 'Measured on GPUs by others',
    comparisons,
    bars: [meanBar('all covered rows', comparisons, 0.025), worstBar('each covered row', comparisons, 0.08)],
    details: [
      "Beside the product's own account stand, the same for every row of a script: the outputs and caches its loop holds, what",
      "a model's forward holds during the loss, cuBLAS's workspaces, and the tensor that CUDA's backward of softmax makes.",
      ...notCoveredLines(comparisons),
    ],
  };
}

const scale: Readonly<Record<string, number>> = { B: 1, MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

function compare(row: RunRow): Comparison {
  const answer = runAnswer(row);
  return {
    id: row.id,
    expected: row.expected,
    unit: row.unit,
    ours: 'value' in answer ? { value: answer.value / (scale[row.unit] ?? 1) } : answer,
  };
}

const answers = new Map<RunRow, Answer>();

export function runAnswer(row: RunRow): Answer {
  const answer = answers.get(row) ?? computedAnswer(row);
  answers.set(row, answer);
  return answer;
}

function computedAnswer(row: RunRow): Answer {
  if (row.unit === 's' || row.unit === 'ms') return { notCovered: 'a time, not memory' };
  const adapters = [fitcheckAnswer, preflightAnswer, mosaicAnswer, headAnswer, torchtuneAnswer];
  for (const adapter of adapters) {
    const answer = adapter(row.id, runRows);
    if (answer !== undefined) return answer;
  }
  return { notCovered: whyNot(row) };
}

/** Why a row has no adapter: what it leaves open, or what the product has no account of. */
function whyNot({ id }: RunRow): string {
  for (const [start, reason] of openRows) if (id.startsWith(start)) return reason;
  return 'the row leaves the configuration open';
}

const openRows: readonly (readonly [string, string])[] = [
  ['hf-48444', 'one kernel inside a mixture-of-experts layer'],
  ['torchtune-3b-ladder', 'torch.compile decides what the layers keep; padding of the base run is open'],
  ['torchtune-', 'torch.compile, paging and offloading are on, sequence lengths open'],
  ['torchtitan-', 'torch.compile, float8 or asynchronous tensor parallelism, and what the allocator reserved'],
  ['lomo-', 'sums over eight GPUs of a model-parallel run, cells second-hand'],
  ['accelerate-', 'the model is named by its number of layers only, or a bug is measured'],
  ['megatron-', "Megatron's and TransformerEngine's own kernels, model not given"],
  ['simumax ', "Megatron's and TransformerEngine's own kernels, batch and sequence not given"],
  ['llamafactory-', 'printed to whole GB, other settings not given'],
  ['peft ', 'sequence length and batch not given'],
  ['longlora-', 'shifted sparse attention under ZeRO 2'],
  ['fastvideo-', 'a video diffusion transformer'],
  ['qlora-65b', 'an upper bound, not a measurement'],
  ['chen-resnet', 'sharing and in-place optimisations of MXNet in both numbers'],
  ['cuda-context', 'taken over as the allowance itself'],
  ['sac-ilp', "the optimizer's step inside PyTorch's fake-tensor tracker"],
];
