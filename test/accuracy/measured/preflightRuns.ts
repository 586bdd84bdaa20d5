import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { noCheckpoints } from '../../../server/core/budget/plan.ts';
import type { Step } from '../../../server/core/budget/step.ts';
import { configClass } from '../../../server/core/families/configClass.ts';
import { knownModel } from '../../../server/core/families/knownModels.ts';
import { readConfig, shapeOfReadings } from '../../../server/core/families/readConfig.ts';
import { torchvisionModel } from '../../../server/core/families/visionModels.ts';
import { precisions } from '../../../server/core/states/setup.ts';
import type { Answer } from '../comparison.ts';
import { plainRun, shapeOf, stepOf } from '../engine.ts';
import { turingAllowance } from './device.ts';
import { wholeStep } from './wholeStep.ts';

/**
 * torch-preflight's end-to-end peaks on a Tesla T4 (`tests/calibration/measure_cuda.py`): fp32 weights, torch's AdamW, a second
 * step measured; what the allocator reserved, and the CUDA context. The script asks `torch.cuda.is_bf16_supported()`, which a
 * T4 answers with yes, so autocast is bf16, for which a T4 has no fused attention.
 */
export function preflightAnswer(id: string): Answer | undefined {
  const [, name, batch, size] = /^torch-preflight (\S+) b(\d+) s?(\d+)$/.exec(id) ?? [];
  if (name === undefined) return undefined;
  const model = models[name]?.();
  if (model === undefined || typeof model.shape === 'string') return { notCovered: `no account of ${name}` };
  const run: RunShape = {
    ...plainRun,
    batch: Number(batch),
    sequence: Number(size),
    autocast: true,
    attention: 'sdpa',
    beforeAmpere: true,
    dropout: name === 'ResNet-50' ? 0 : 0.1,
  };
  const step = stepOf(model.shape, run);
  if (typeof step === 'string') return { notCovered: step };
  const { layers, hidden } = model.shape;
  const whole = wholeStep(
    model.isHeadless ? withoutHead(step) : step,
    noCheckpoints,
    { precision: precisions.autocast, foreachStep: true },
    // GPT-2 returns its keys and values, bf16 copies of what attention reads.
    { holdsOutputs: true, cacheBytes: model.hasCache ? 2 * 2 * layers * run.batch * run.sequence * hidden : 0 },
  );
  if (typeof whole === 'string') return { notCovered: whole };
  const beside = turingAllowance(whole.lastingBytes, whole.passingBytes, model.hasScores ? 'eager' : 'fused');
  return {
    value:
      whole.lastingBytes + whole.passingBytes + beside.workspaceBytes + beside.fragmentationBytes + beside.contextBytes,
  };
}

interface PreflightModel {
  readonly shape: ModelShape | string;
  /** `AutoModel`: what is behind the layers is a mean of squares. */
  readonly isHeadless?: boolean;
  readonly hasCache?: boolean;
  readonly hasScores?: boolean;
}

const models: Readonly<Record<string, () => PreflightModel>> = {
  'GPT-2': () => ({ shape: knownModel('gpt2')?.shape ?? 'none', hasCache: true, hasScores: true }),
  'BERT-base': () => ({ shape: knownModel('bert-base-uncased')?.shape ?? 'none', isHeadless: true, hasScores: true }),
  DistilBERT: () => ({ shape: shapeOf({ model_type: 'distilbert' }), isHeadless: true, hasScores: true }),
  'ResNet-50': () => ({ shape: resnet50() }),
};

function resnet50(): ModelShape | string {
  const model = torchvisionModel('resnet50');
  const config = model && configClass(model.configClass);
  return config === undefined ? 'none' : shapeOfReadings(config, readConfig(config, model?.arguments ?? {}).readings);
}

function withoutHead(step: Step): Step {
  return { ...step, units: step.units.slice(0, step.firstHeadUnit), resultBytes: 0, waitingBytes: 0 };
}
