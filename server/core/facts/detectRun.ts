import type { Module } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import { readAdapters } from './adapters.ts';
import { readBatch } from './batch.ts';
import { readCheckpointing } from './checkpointing.ts';
import { chosenModel } from './chosenModel.ts';
import { present } from './configFiles/said.ts';
import type { AttentionImplementation, Fact, RunFacts, RunSettings } from './facts.ts';
import { readFused } from './fused.ts';
import { modelCandidates } from './modelCandidates.ts';
import { modelMadeElsewhere } from './modelMadeElsewhere.ts';
import { isSize, type ModelReading } from './modelReading.ts';
import { openSource } from './openSource.ts';
import { readOptimizer } from './optimizer.ts';
import { readPrecision } from './precision.ts';
import type { FactsAround } from './project.ts';
import { readSequence } from './sequence.ts';
import { fieldNamed, settingNamed } from './settings.ts';
import { readSharding } from './sharding.ts';
import { factOf, lastName, type Source } from './source.ts';
import { readTargetSequence } from './targetSequence.ts';
import { type TrainerArguments, trainerArguments, trainerNumber } from './trainer.ts';

/**
 * Reads which model a Python file trains and how. Undefined where it says nothing about either, which is so for most
 * files and is decided from the text alone. `path` goes into every place that is told; with `around`, what the file
 * imports or loads from the workspace is followed.
 */
export function detectRun(module: Module, names: Names, path: string, around?: FactsAround): RunFacts | undefined {
  if (!mayTellOfRun(module.text)) return undefined;
  const source = openSource(module, names, path, around);
  const trainer = trainerArguments(source);
  const model = modelOf(source, trainer.chosen);
  const isKnown = model !== undefined || trainer.chosen !== undefined;
  if (!isKnown && !trains(source)) return undefined;
  const { run, options, notes } = readRun(source, trainer.chosen, model);
  // A loop without a model that is recognised tells something only where it says how much it is fed.
  if (!isKnown && run.batch.origin.kind === 'assumed' && run.sharding === undefined) return undefined;
  const allOptions = new Set([...(model?.options ?? []), ...options]);
  const fromCommandLine =
    allOptions.size === 0
      ? []
      : [`defaults of command-line options are taken: ${[...allOptions].slice(0, 8).join(', ')}`];
  return {
    model: model?.model,
    ...(model?.model === undefined && model?.named !== undefined && { namedModel: model.named }),
    ...(model?.head !== undefined && { head: model.head }),
    run,
    notes: [
      ...new Set([...(model?.notes ?? []), ...trainer.notes, ...notes, ...overwritten(source), ...fromCommandLine]),
    ],
  };
}

/** The model of the file, or the one that it has a function of another file make. */
function modelOf(source: Source, trainer: TrainerArguments | undefined): ModelReading | undefined {
  const own = chosenModel(source, modelCandidates(source));
  if (own?.model !== undefined || own?.named !== undefined) return own;
  return (trainer !== undefined || trains(source) ? modelMadeElsewhere(source) : undefined) ?? own;
}

/** Every way of naming a model or a trainer, or of training without either, goes through one of these words. */
export const mayTellOfRun = (text: string): boolean =>
  /Config\b|Config\(|from_pretrained|TrainingArguments|ModelArgs|n_layers?\b|num_(hidden_)?layers\b|\w+Trainer\(|\.backward\(|nn\.Transformer|create_model\w*\(|torchvision|\.initialize\(|HfArgumentParser|TrlParser|optim\.\w+\(/.test(
    text,
  );

/** A loop of its own: gradients are computed, or an optimizer is made to use them. */
const trains = (source: Source): boolean =>
  source.calls.some(
    ({ call, qualified }) => lastName(call.callee) === 'backward' || /^torch\.optim\.\w+$/.test(qualified ?? ''),
  );

function readRun(source: Source, trainer: TrainerArguments | undefined, model: ModelReading | undefined) {
  const parallel = readSharding(source, trainer);
  const batch = readBatch(source, trainer, model, parallel.settings.batch);
  const sequence = readSequence(source, trainer, model);
  const target = readTargetSequence(source, trainer, model?.model);
  const precision = readPrecision(source, trainer, model, parallel.settings.dataType);
  const checkpointing = readCheckpointing(source, trainer, model?.model?.layers.value);
  const accumulation = readAccumulation(source, trainer) ?? parallel.settings.gradientAccumulation;
  const optimizer = readOptimizer(source, trainer);
  const adapters = readAdapters(source, model?.model);
  const fused = readFused(source, trainer);
  const {
    sharding,
    reshardAfterForward,
    offload,
    dataParallel,
    tensorParallel,
    contextParallel,
    pipelineParallel,
    expertParallel,
  } = parallel.settings;
  const run: RunSettings = {
    batch: batch.fact,
    sequence: sequence.fact,
    dataType: precision.dataType,
    autocast: precision.autocast,
    attention: model?.attention ?? standardAttention,
    dropout: model?.dropout ?? { value: 0, origin: { kind: 'assumed', why: 'the model is not known' } },
    checkpointing: checkpointing.fact,
    ...present({
      gradientAccumulation: accumulation,
      targetSequence: target?.fact,
      optimizer: optimizer.fact ?? parallel.settings.optimizer,
      optimizerImplementation: optimizer.implementation,
      shardType: precision.shardType,
      reduceType: precision.reduceType,
      adapters: adapters.fact,
      quantisation: model?.quantisation,
      fused,
      sharding,
      reshardAfterForward,
      offload,
      dataParallel,
      tensorParallel,
      contextParallel,
      pipelineParallel,
      expertParallel,
    }),
  };
  const all = [
    batch,
    sequence,
    precision,
    checkpointing,
    optimizer,
    adapters,
    ...(target === undefined ? [] : [target]),
  ];
  return {
    run,
    options: all.flatMap((each) => each.options),
    notes: [...all.flatMap((each) => each.notes), ...parallel.notes],
  };
}

const standardAttention: Fact<AttentionImplementation> = {
  value: 'sdpa',
  origin: { kind: 'default', library: 'transformers', what: 'attn_implementation' },
};

function readAccumulation(source: Source, trainer: TrainerArguments | undefined): Fact<number> | undefined {
  const name = 'gradient_accumulation_steps';
  if (trainer !== undefined) return trainerNumber(source, trainer, name);
  const names = [name, 'grad_accum_steps', 'accumulation_steps', 'accum_freq'];
  const read = settingNamed(source, names) ?? fieldNamed(source, names);
  return read !== undefined && isSize(read.value) ? factOf(source, read, read.value) : undefined;
}

/** nanoGPT's scripts run another file over their settings. */
function overwritten(source: Source): string[] {
  const here = source.calls.find(
    ({ call, around }) => call.callee.kind === 'name' && call.callee.name === 'exec' && around.function === undefined,
  );
  return here === undefined ? [] : [`exec on line ${source.lineOf(here.call)} may replace the settings above it`];
}
