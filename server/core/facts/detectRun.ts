import type { Module } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import { readBatch } from './batch.ts';
import { readCheckpointing } from './checkpointing.ts';
import { chosenModel } from './chosenModel.ts';
import type { AttentionImplementation, Fact, RunFacts, RunSettings } from './facts.ts';
import { modelCandidates } from './modelCandidates.ts';
import { isSize, type ModelReading } from './modelReading.ts';
import { openSource } from './openSource.ts';
import { readPrecision } from './precision.ts';
import type { FactsAround } from './project.ts';
import { readSequence } from './sequence.ts';
import { settingNamed } from './settings.ts';
import { originOf, type Source } from './source.ts';
import { type TrainerArguments, trainerArguments, trainerNumber } from './trainer.ts';

/**
 * Reads which model a Python file trains and how. Undefined where it says nothing about either, which is so for most
 * files and is decided from the text alone. `path` goes into every place that is told; with `around`, what the file
 * imports or loads from the workspace is followed.
 */
export function detectRun(module: Module, names: Names, path: string, around?: FactsAround): RunFacts | undefined {
  if (!mayTellOfRun.test(module.text)) return undefined;
  const source = openSource(module, names, path, around);
  const trainer = trainerArguments(source);
  const model = chosenModel(source, modelCandidates(source));
  if (model === undefined && trainer.chosen === undefined) return undefined;
  const { run, options, notes } = readRun(source, trainer.chosen, model);
  const allOptions = new Set([...(model?.options ?? []), ...options]);
  const fromCommandLine =
    allOptions.size === 0
      ? []
      : [`defaults of command-line options are taken: ${[...allOptions].slice(0, 8).join(', ')}`];
  return {
    model: model?.model,
    run,
    notes: [
      ...new Set([...(model?.notes ?? []), ...trainer.notes, ...notes, ...overwritten(source), ...fromCommandLine]),
    ],
  };
}

/** Every way of naming a model or a trainer goes through one of these words. */
const mayTellOfRun =
  /Config\b|Config\(|from_pretrained|TrainingArguments|ModelArgs|n_layers?\b|num_(hidden_)?layers\b|\w+Trainer\(/;

function readRun(source: Source, trainer: TrainerArguments | undefined, model: ModelReading | undefined) {
  const batch = readBatch(source, trainer, model);
  const sequence = readSequence(source, trainer, model);
  const precision = readPrecision(source, trainer, model);
  const checkpointing = readCheckpointing(source, trainer, model?.model?.layers.value);
  const accumulation = readAccumulation(source, trainer);
  const run: RunSettings = {
    batch: batch.fact,
    sequence: sequence.fact,
    dataType: precision.dataType,
    autocast: precision.autocast,
    attention: model?.attention ?? standardAttention,
    dropout: model?.dropout ?? { value: 0, origin: { kind: 'assumed', why: 'the model is not known' } },
    checkpointing: checkpointing.fact,
    ...(accumulation !== undefined && { gradientAccumulation: accumulation }),
  };
  const all = [batch, sequence, precision, checkpointing];
  return { run, options: all.flatMap((each) => each.options), notes: all.flatMap((each) => each.notes) };
}

const standardAttention: Fact<AttentionImplementation> = {
  value: 'sdpa',
  origin: { kind: 'default', library: 'transformers', what: 'attn_implementation' },
};

function readAccumulation(source: Source, trainer: TrainerArguments | undefined): Fact<number> | undefined {
  const name = 'gradient_accumulation_steps';
  if (trainer !== undefined) return trainerNumber(source, trainer, name);
  const read = settingNamed(source, [name, 'grad_accum_steps', 'accumulation_steps']);
  return read !== undefined && isSize(read.value) ? { value: read.value, origin: originOf(source, read) } : undefined;
}

/** nanoGPT's scripts run another file over their settings. */
function overwritten(source: Source): string[] {
  const here = source.calls.find(
    ({ call, around }) => call.callee.kind === 'name' && call.callee.name === 'exec' && around.function === undefined,
  );
  return here === undefined ? [] : [`exec on line ${source.lineOf(here.call)} may replace the settings above it`];
}
