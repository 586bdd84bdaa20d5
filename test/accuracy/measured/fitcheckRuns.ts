import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { noCheckpoints, segmentsOf } from '../../../server/core/budget/plan.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';
import { type Precision, precisions } from '../../../server/core/states/setup.ts';
import type { Answer } from '../comparison.ts';
import { plainRun, shapeOf, stepOf } from '../engine.ts';
import type { RunRow } from '../sections/measuredRuns.ts';
import { turingAllowance } from './device.ts';
import { type WholeStep, wholeStep } from './wholeStep.ts';

/**
 * LoRA and QLoRA on a Tesla T4, measured by fitcheck's `scripts/measure.py` (MIT): r = 32, later 16, on q, k, v, o, fp16, fp32 AdamW,
 * transformers with non-reentrant checkpointing and `enable_input_require_grads`, SDPA pinned to the memory-efficient kernel
 * with keys and values repeated. Its number for activations is the peak of `torch.cuda.max_memory_allocated` less the weights
 * before the step, the optimizer's states and all gradients, whether the gradients are there at the peak or not.
 */
export function fitcheckAnswer(id: string, rows: readonly RunRow[]): Answer | undefined {
  if (id === 'gpu-t4-noac eager-minus-sdpa SmolLM2-1.7B') return eagerMinusSdpa(rows);
  if (id === 'fitcheck llama-160m full FT AC b2 s1024 eager') return fullFineTuning();
  const gemma = /^fitcheck gemma-2-2b no AC b1 s512 (sdpa|eager)$/.exec(id)?.[1];
  const name = gemma ? `gpu-t4-noac gemma-2-2b b1 s512 ${gemma}` : id;
  const result = loraStep(name, rows);
  if (result === undefined || 'notCovered' in result) return result;
  const { step, direction } = result;
  const peak = direction === 'forward' ? step.forwardPeakBytes : step.backwardPeakBytes;
  if (gemma) return { value: step.lastingBytes + step.passingBytes + workspaces() };
  return { value: peak + workspaces() - step.gradientBytes };
}

interface LoraStep {
  readonly step: WholeStep;
  readonly direction: 'forward' | 'backward';
}

function loraStep(id: string, rows: readonly RunRow[]): LoraStep | { readonly notCovered: string } | undefined {
  const [, what, name = '', batch, sequence, attention, base = 'none'] =
    /^gpu-t4(-fwd|-noac|-hump)? (\S+) b(\d+) s(\d+) (\S+)(?: (\S+))?$/.exec(id) ?? [];
  if (batch === undefined || sequence === undefined) return undefined;
  const shape = shapeOfName(name);
  if (shape === undefined) return { notCovered: `no account of ${name}` };
  const settings: RunShape = {
    ...plainRun,
    batch: Number(batch),
    sequence: Number(sequence),
    // `prepare_model_for_kbit_training` makes embeddings, norms and head fp32, and with them all between the layers.
    dataType: base === 'nf4' ? 'fp32' : 'fp16',
    attention: attention === 'eager' ? 'eager' : 'efficient',
    adapters: {
      rank: rankOf(shape, `${name} b${batch} s${sequence} `, rows),
      targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj'],
      dropout: 0,
      elementType: 'fp32',
    },
  };
  const step = run(shape, settings, what !== '-noac');
  if (typeof step === 'string') return { notCovered: step };
  return { step, direction: what === '-fwd' ? 'forward' : 'backward' };
}

function eagerMinusSdpa(rows: readonly RunRow[]): Answer {
  const [eager, sdpa] = ['eager', 'sdpa'].map((kind) =>
    fitcheckAnswer(`gpu-t4-noac SmolLM2-1.7B b1 s512 ${kind}`, rows),
  );
  if (!eager || !sdpa || !('value' in eager) || !('value' in sdpa)) return { notCovered: 'one of the two' };
  return { value: eager.value - sdpa.value };
}

/** The archive gives the rank through the bytes of gradients and AdamW's states: 12 for each weight of the adapters. */
function rankOf(shape: ModelShape, run: string, rows: readonly RunRow[]): number {
  const row = rows.find(({ id, config }) => id.includes(run) && isRecord(config));
  const mebibytes = isRecord(row?.config) ? Number(row.config.optimizer_plus_grad_mib) : Number.NaN;
  const queries = shape.heads * shape.headDimension;
  const keys = shape.keyValueHeads * shape.headDimension;
  const perRank = shape.layers * (4 * shape.hidden + 2 * queries + 2 * keys);
  return Number.isFinite(mebibytes) ? Math.round((mebibytes * 2 ** 20) / 12 / perRank) : 32;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** `--no-lora`: the script makes all that learns fp32 for AdamW; its number is the peak of allocated tensors, weights and all. */
function fullFineTuning(): Answer {
  const shape = shapeOf({
    model_type: 'llama',
    hidden_size: 768,
    num_attention_heads: 12,
    intermediate_size: 3072,
    num_hidden_layers: 12,
    vocab_size: 32000,
  });
  if (typeof shape === 'string') return { notCovered: shape };
  const step = stepOf(shape, { ...plainRun, batch: 2, sequence: 1024, dataType: 'fp32', attention: 'eager' });
  if (typeof step === 'string') return { notCovered: step };
  const whole = wholeStep(step, (layers) => segmentsOf(layers, 1), { foreachStep: true }, { holdsOutputs: true });
  if (typeof whole === 'string') return { notCovered: whole };
  return { value: whole.lastingBytes + whole.passingBytes + workspaces() };
}

/** They are made in the first step and stay; `max_memory_allocated` counts them. */
const workspaces = (): number => turingAllowance(0, 0, 'fused').workspaceBytes;

function run(shape: ModelShape, settings: RunShape, checkpointed: boolean): WholeStep | string {
  const step = stepOf(shape, settings);
  if (typeof step === 'string') return step;
  const plan = checkpointed ? (layers: number) => segmentsOf(layers, 1) : noCheckpoints;
  return wholeStep(step, plan, { precision: precisionOf(settings) }, { holdsOutputs: true });
}

const precisionOf = ({ dataType }: RunShape): Precision =>
  dataType === 'fp32' ? precisions.fp32 : dataType === 'fp16' ? precisions.pureFp16 : precisions.pureBf16;

const hubIds: Readonly<Record<string, string>> = {
  'SmolLM2-135M': 'HuggingFaceTB/SmolLM2-135M',
  'SmolLM2-360M': 'HuggingFaceTB/SmolLM2-360M',
  'SmolLM2-1.7B': 'HuggingFaceTB/SmolLM2-1.7B',
  'TinyLlama-1.1B': 'TinyLlama/TinyLlama-1.1B-Chat-v1.0',
  'Qwen2.5-0.5B': 'Qwen/Qwen2.5-0.5B',
  'Qwen2.5-1.5B': 'Qwen/Qwen2.5-1.5B',
  'Qwen2.5-7B': 'Qwen/Qwen2.5-7B',
  'Mistral-7B-v0.3': 'mistralai/Mistral-7B-v0.3',
  'Llama-3.2-1B': 'meta-llama/Llama-3.2-1B',
  'Llama-3.2-3B': 'meta-llama/Llama-3.2-3B',
  'gemma-2-2b': 'google/gemma-2-2b',
};

export const shapeOfName = (name: string): ModelShape | undefined => knownModel(hubIds[name] ?? name)?.shape;
