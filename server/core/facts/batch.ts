import type { Fact } from './facts.ts';
import { isSize, type ModelReading } from './modelReading.ts';
import { batchAndLength, fieldNamed, settingNamed } from './settings.ts';
import { factOf, lastName, type ReadValue, type Source, withLost } from './source.ts';
import { givenShape } from './tensorShape.ts';
import { type TrainerArguments, trainerNumber, trainerProblem, trainerValue } from './trainer.ts';

const settings = [
  'micro_batch_size',
  'device_batch_size',
  'per_device_batch_size',
  'per_device_train_batch_size',
  'train_batch_size',
  'batch_size',
  'batch_size_training',
  'batchsize',
  'bsz',
];

export interface RunReading<T> {
  readonly fact: Fact<T>;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

/** Sequences in one forward pass: the trainer's micro-batch, else a data loader's, else a setting of that name. */
export function readBatch(
  source: Source,
  trainer: TrainerArguments | undefined,
  model: ModelReading | undefined,
  ofDeepSpeed: Fact<number> | undefined,
): RunReading<number> {
  if (trainer !== undefined) return ofTrainer(source, trainer);
  const loader = ofLoader(source);
  // DeepSpeed refuses to train with another batch than the one in its configuration.
  if (ofDeepSpeed !== undefined && ofDeepSpeed.origin.kind !== 'assumed')
    return { fact: withLost(ofDeepSpeed, [loader?.fact]), options: [], notes: [] };
  if (loader !== undefined) return loader;
  const named = settingNamed(source, settings) ?? fieldNamed(source, settings) ?? batchAndLength(source)?.batch;
  // Tokens that are made on the spot are what is fed, whatever a name says beside them.
  const fed = givenShape(source)?.batch ?? named;
  if (fed !== undefined)
    return {
      ...reading(source, fed),
      fact: withLost(reading(source, fed).fact, [named && reading(source, named).fact]),
    };
  if (model?.batch !== undefined) return { fact: model.batch, options: [], notes: [] };
  return assumedOne('no batch size was found in this file');
}

function ofTrainer(source: Source, trainer: TrainerArguments): RunReading<number> {
  const name = 'per_device_train_batch_size';
  const read = trainerValue(source, trainer, name);
  const fact = trainerNumber(source, trainer, name);
  const notes =
    trainerValue(source, trainer, 'auto_find_batch_size')?.value === true
      ? ['auto_find_batch_size halves the batch until it fits']
      : [];
  if (fact !== undefined) return { fact, options: read?.options ?? [], notes };
  const problem = trainerProblem(source, trainer, name);
  if (read !== undefined || problem !== undefined) {
    const why = problem ?? `${name} is ${JSON.stringify(read?.value)}`;
    return { ...assumedOne(why), notes: [...notes, why] };
  }
  const what = `${trainer.className}.${name}`;
  return { fact: { value: 8, origin: { kind: 'default', library: 'transformers', what } }, options: [], notes };
}

/** The training loader, torch's or what a function of the project makes, if names tell it apart; loaders that disagree are noted. */
function ofLoader(source: Source): RunReading<number> | undefined {
  const found = source.calls.flatMap(({ call, qualified }) => {
    const isTorch = /^torch\.utils\.data\.(dataloader\.)?DataLoader$|(^|\.)StatefulDataLoader$/.test(qualified ?? '');
    if (!isTorch && !/loader/i.test(lastName(call.callee))) return [];
    const field = source.givenTo(call).fields.get('batch_size');
    const second = isTorch ? call.arguments[1] : undefined;
    const value = field?.value ?? (second?.kind === 'positional' ? second.value : undefined);
    const read = value && source.read(value);
    const given = source.givenTo(call).fields;
    const shuffles = source.read(given.get('shuffle')?.value ?? call)?.value === true;
    // What the loader is called, and what its batch is called: `args.sample_batch_size`.
    const name = `${source.assignedName(call) ?? ''} ${value === undefined ? '' : lastName(value)}`;
    const rank = /train/i.test(name) ? 2 : notTraining.test(name) ? -1 : shuffles ? 1 : 0;
    return read !== undefined && isSize(read.value) ? [{ read, rank }] : [];
  });
  const [best] = [...found].sort((a, b) => b.rank - a.rank);
  if (best === undefined || best.rank < 0) return undefined;
  const others = new Set(found.filter(({ rank }) => rank === best.rank).map(({ read }) => read.value));
  const notes = others.size > 1 ? [`data loaders have batches of ${[...others].join(', ')}; the first is counted`] : [];
  return { ...reading(source, best.read), notes };
}

const notTraining = /val|test|eval|dev|sample_|sampling|infer|extract|predict/i;

const reading = (source: Source, read: ReadValue): RunReading<number> => ({
  fact: factOf(source, read, Number(read.value)),
  options: read.options,
  notes: [],
});

const assumedOne = (why: string): RunReading<number> => ({
  fact: { value: 1, origin: { kind: 'assumed', why } },
  options: [],
  notes: [],
});
