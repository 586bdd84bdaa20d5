import { modelShape, runShape } from '../core/budget/account.ts';
import { estimateBudget } from '../core/budget/estimate.ts';
import type { Device } from '../core/devices/device.ts';
import { customDevice } from '../core/devices/devices.ts';
import { findDevice } from '../core/devices/findDevice.ts';
import type { AttentionImplementation, DataType, Fact, RunFacts, RunSettings } from '../core/facts/facts.ts';
import { faultOf } from '../core/facts/modelReading.ts';
import { type ChosenValues, withChosen } from '../core/facts/withChosen.ts';
import { budgetJson } from '../core/report/budgetJson.ts';
import { budgetText } from '../core/report/budgetText.ts';
import { bytesText } from '../core/report/quantities.ts';
import { problemText } from '../core/states/problems.ts';
import { advise } from '../core/total/advise.ts';
import { assess } from '../core/total/assess.ts';
import { trainingOf } from '../core/total/setupOfRun.ts';
import type { ExitCode } from './exitCode.ts';
import { type FileFacts, factsIn, missingValues } from './fileFacts.ts';
import { choice, readFlags, UsageError, wholeNumber } from './flags.ts';
import { type FlaggedModel, modelOfConfig, modelOfRegistry } from './modelFlags.ts';
import { print } from './terminal.ts';

/** `budget [FILE]` */
export async function budget(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readFlags(args, {
    config: 'text',
    model: 'text',
    layers: 'text',
    batch: 'text',
    seq: 'text',
    dtype: 'text',
    attention: 'text',
    dropout: 'text',
    segment: 'text',
    gpu: 'text',
    format: 'text',
  });
  const device = values.gpu === undefined ? undefined : namedDevice(values.gpu);
  const format = choice('--format', values.format, ['text', 'json']) ?? 'text';
  const chosen: ChosenValues = {
    layers: wholeNumber('--layers', values.layers),
    batch: wholeNumber('--batch', values.batch),
    sequence: wholeNumber('--seq', values.seq),
    dataType: choice<DataType>('--dtype', values.dtype, ['bf16', 'fp16', 'fp32']),
    attention: choice<AttentionImplementation>('--attention', values.attention, attentions),
    dropout: probability('--dropout', values.dropout),
    segment: wholeNumber('--segment', values.segment),
  };
  if (positionals.length > 1) throw new UsageError('budget takes one FILE');
  if (values.config !== undefined && values.model !== undefined) {
    throw new UsageError('--config and --model both name the model; give one');
  }
  const flagged =
    values.config !== undefined ? modelOfConfig(values.config) : values.model && modelOfRegistry(values.model);
  const [path] = positionals;
  const file = path === undefined ? undefined : await factsIn(path);
  const facts = complete(withChosen(combined(file, flagged || undefined), chosen, flagOf), path);
  const { model, run } = facts;
  const shape = modelShape(model);
  const estimate = estimateBudget(shape, runShape(run), run.checkpointing.value.segment);
  const training = trainingOf(model, run, device);
  const { assessment, problems } = estimate.pytorch ? assess(training, bytesText) : noAccount;
  const advice = assessment && device && advise(training, assessment);
  const found = [...folderNotes(file, path), ...facts.notes, ...estimate.notes, ...problems.map(problemText)];
  const report = { model, run, budget: estimate, assessment, advice, notes: [...new Set(found)] };
  print(format === 'json' ? budgetJson(report) : budgetText(report));
  return 0;
}

const noAccount = { assessment: undefined, problems: [] } as const;

/** @throws UsageError where no device or more than one could be meant */
function namedDevice(text: string): Device {
  const { device, candidates } = findDevice(text);
  if (device !== undefined) return device;
  if (candidates.length > 0)
    throw new UsageError(`--gpu ${text}: could be ${candidates.map(({ name }) => name).join(', ')}; say which`);
  const gigabytes = /^(\d+(?:\.\d+)?)\s*GB$/i.exec(text)?.[1];
  const custom = gigabytes === undefined ? undefined : customDevice(Math.round(Number(gigabytes) * 1e9));
  if (custom !== undefined) return { ...custom, name: `a device with ${gigabytes} GB` };
  throw new UsageError(`--gpu ${text}: not known; give its memory, such as --gpu 24GB`);
}

const attentions: readonly AttentionImplementation[] = ['eager', 'sdpa', 'flash', 'efficient', 'math'];

const flags: Readonly<Partial<Record<keyof ChosenValues, string>>> = { sequence: '--seq', dataType: '--dtype' };
const flagOf = (field: keyof ChosenValues): string => flags[field] ?? `--${field}`;

function probability(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : 1;
  if (number >= 1) throw new UsageError(`${flag} ${value}: not a probability from 0 to below 1`);
  return number;
}

/** A model that a flag names stands in for the file's; how it is trained stays the file's. */
function combined(file: FileFacts | undefined, flagged: FlaggedModel | undefined): RunFacts {
  const read = file?.facts ?? { model: undefined, run: runOfNoFile, notes: [] };
  if (flagged === undefined) return read;
  const dataType = file?.facts === undefined ? flagged.dataType : undefined;
  return {
    model: flagged.model,
    run: { ...read.run, dropout: flagged.dropout, ...(dataType !== undefined && { dataType }) },
    notes: [...read.notes, ...flagged.notes],
  };
}

const assumed = <T>(value: T, why: string): Fact<T> => ({ value, origin: { kind: 'assumed', why } });

/** Where only flags speak. Batch and sequence are asked for; the rest is what most runs of today have. */
const runOfNoFile: RunSettings = {
  batch: assumed(1, 'no file says it'),
  sequence: assumed(1, 'no file says it'),
  dataType: assumed('bf16', 'weights and activations in bf16; --dtype changes it'),
  autocast: assumed(false, 'weights are in the data type of the activations'),
  attention: { value: 'sdpa', origin: { kind: 'default', library: 'transformers', what: 'attn_implementation' } },
  dropout: assumed(0, 'no file says it; --dropout changes it'),
  checkpointing: assumed({ mode: 'none', segment: 1 }, 'no file says it; --segment turns it on'),
};

type CompleteFacts = RunFacts & { readonly model: NonNullable<RunFacts['model']> };

/** @throws UsageError that names the flag for what is missing */
function complete(facts: RunFacts, path: string | undefined): CompleteFacts {
  const { model, run, notes } = facts;
  const where = path === undefined ? '' : `${path}: `;
  if (model === undefined) {
    const why = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
    throw new UsageError(`${where}no model found${why}; name one with --config or --model`);
  }
  const missing = missingValues(facts);
  if (missing.length > 0) {
    const flagNames = missing.map(({ flag }) => flag).join(' and ');
    const whys = [...new Set(missing.map(({ why }) => why))].join('; ');
    throw new UsageError(`${where}${flagNames} ${missing.length > 1 ? 'are' : 'is'} missing (${whys})`);
  }
  const fault = faultOf(model);
  if (fault !== undefined) throw new UsageError(`${where}${model.name.value}: ${fault}, so it is no model`);
  const { segment } = run.checkpointing.value;
  if (segment > model.layers.value) {
    throw new UsageError(`--segment ${segment}: the model has ${model.layers.value} layers`);
  }
  return { ...facts, model };
}

function folderNotes(file: FileFacts | undefined, given: string | undefined): string[] {
  if (file === undefined || file.path === given) return [];
  const others = file.others.length === 0 ? '' : `; there is a model in ${file.others.join(', ')} too`;
  return [`read from ${file.path}${others}`];
}
