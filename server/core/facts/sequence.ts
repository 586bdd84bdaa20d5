import type { RunReading } from './batch.ts';
import { isSize, type ModelReading } from './modelReading.ts';
import { batchAndLength, fieldNamed, settingNamed } from './settings.ts';
import { derivedAt, factOf, lastName, type ReadValue, type Source } from './source.ts';
import { isAside } from './standing.ts';
import { isTargetTokenizer } from './targetSequence.ts';
import { givenShape } from './tensorShape.ts';
import { type TrainerArguments, trainerNumber, trainerValue } from './trainer.ts';

const settings = [
  'block_size',
  'max_seq_length',
  'max_seq_len',
  'seq_len',
  'seq_length',
  'sequence_length',
  'context_length',
  'context_len',
  'model_max_length',
  'cutoff_len',
  'ctx_len',
  'max_source_length',
  'bptt',
];
/** Names that a length of generated text has as well. */
const looseSettings = ['max_length', 'max_len'];

/** Longer sequences are seldom meant where nothing is said. */
const longestAssumed = 1024;

/** Tokens in one sequence: the trainer's length, else the tokenizer's, else a setting of that name. */
export function readSequence(
  source: Source,
  trainer: TrainerArguments | undefined,
  model: ModelReading | undefined,
): RunReading<number> {
  const maximum = model?.model?.maximumSequence.value;
  const found =
    ofTrainer(source, trainer) ??
    ofTokenizer(source) ??
    sourceAndTarget(source) ??
    reading(
      source,
      settingNamed(source, settings) ?? batchAndLength(source)?.length ?? settingNamed(source, looseSettings),
    ) ??
    reading(source, givenShape(source)?.length) ??
    reading(source, ofDataset(source)) ??
    ofModel(model) ??
    reading(source, fieldNamed(source, [...settings, ...looseSettings]));
  if (found !== undefined) {
    const { value } = found.fact;
    const isTooLong = maximum !== undefined && value > maximum;
    return isTooLong ? { ...found, notes: [`sequences of ${value} are longer than the model's ${maximum}`] } : found;
  }
  const library = trainer === undefined ? undefined : trlDefault(trainer, maximum);
  if (library !== undefined) return library;
  const value = Math.min(maximum ?? longestAssumed, longestAssumed);
  const why =
    maximum === value
      ? 'no length was found in this file; the model takes no more'
      : 'no length was found in this file';
  return { fact: { value, origin: { kind: 'assumed', why } }, options: [], notes: [] };
}

function ofTrainer(source: Source, trainer: TrainerArguments | undefined): RunReading<number> | undefined {
  if (trainer === undefined) return undefined;
  if (/^(GRPO|RLOO|OnlineDPO)/.test(trainer.className)) return promptAndAnswer(source, trainer);
  for (const name of ['max_length', 'max_seq_length', 'model_max_length']) {
    const fact = trainerNumber(source, trainer, name);
    if (fact !== undefined) return { fact, options: trainerValue(source, trainer, name)?.options ?? [], notes: [] };
  }
  return undefined;
}

/** Training with generated answers: prompt and answer follow each other. */
function promptAndAnswer(source: Source, trainer: TrainerArguments): RunReading<number> | undefined {
  const [prompt, answer] = ['max_prompt_length', 'max_completion_length'].map((name) =>
    trainerValue(source, trainer, name),
  );
  if (prompt === undefined || answer === undefined || !isSize(prompt.value) || !isSize(answer.value)) return undefined;
  const origin = derivedAt(
    source,
    answer.at,
    `max_prompt_length ${prompt.value} + max_completion_length ${answer.value}`,
  );
  return {
    fact: { value: prompt.value + answer.value, origin },
    options: [...prompt.options, ...answer.options],
    notes: [],
  };
}

/** Lengths of a question and its answer, each cut by itself, as QLoRA's script and its many descendants name them. */
function sourceAndTarget(source: Source): RunReading<number> | undefined {
  const [question, answer] = ['source_max_len', 'target_max_len'].map(
    (name) => settingNamed(source, [name]) ?? fieldNamed(source, [name]),
  );
  if (question === undefined || answer === undefined || !isSize(question.value) || !isSize(answer.value))
    return undefined;
  const words = `source_max_len ${question.value} + target_max_len ${answer.value}`;
  return {
    fact: { value: question.value + answer.value, origin: derivedAt(source, answer.at, words) },
    options: [...question.options, ...answer.options],
    notes: [],
  };
}

/** Until trl 0.20 the tokenizer's own limit counted too, where it was smaller. */
function trlDefault(trainer: TrainerArguments, maximum: number | undefined): RunReading<number> | undefined {
  if (trainer.library !== 'trl' || !/^(SFT|DPO|CPO|ORPO|KTO|BCO|Reward)Config$/.test(trainer.className))
    return undefined;
  if (trainer.fields.fields.has('max_length') || trainer.fields.open !== undefined) return undefined;
  if (maximum !== undefined && maximum < 1024) return undefined;
  const what = `${trainer.className}.max_length`;
  return { fact: { value: 1024, origin: { kind: 'default', library: 'trl', what } }, options: [], notes: [] };
}

const ofModel = (model: ModelReading | undefined): RunReading<number> | undefined =>
  model?.sequence && { fact: model.sequence, options: [], notes: [] };

/** `TokenDataset(tokens, seq_length=128)`: what a model is fed may be shorter than what it takes. */
function ofDataset(source: Source): ReadValue | undefined {
  const given = source.calls.flatMap((here) => {
    const { call } = here;
    if (!/Dataset$/.test(lastName(call.callee)) || isAside(source, here)) return [];
    if (/val|test|eval|dev/i.test(source.assignedName(call) ?? '')) return [];
    const { fields } = source.givenTo(call);
    const value = [...settings, ...looseSettings].flatMap((name) => fields.get(name)?.value ?? [])[0];
    const read = value && source.read(value);
    return read !== undefined && isSize(read.value) ? [read] : [];
  });
  const [first] = given;
  return given.every(({ value }) => value === first?.value) ? first : undefined;
}

/** `tokenizer(text, max_length=…)`; several lengths are noted, the longest one is counted. */
function ofTokenizer(source: Source): RunReading<number> | undefined {
  const called = source.calls.flatMap(({ call, qualified }) => {
    const name = lastName(call.callee);
    const isTokenizer = /tokeni[sz]er$|^tok$|^(encode_plus|batch_encode_plus)$/i.test(name);
    const loads = name === 'from_pretrained' && /Tokenizer(Fast)?\.from_pretrained$/.test(qualified ?? '');
    if ((!isTokenizer && !loads) || isTargetTokenizer(source, call)) return [];
    const field = source.givenTo(call).fields.get(loads ? 'model_max_length' : 'max_length');
    const read = field?.value && source.read(field.value);
    return read !== undefined && isSize(read.value) ? [read] : [];
  });
  const changed = source.changes.flatMap(({ object, key, value }) => {
    if (key !== 'model_max_length' || !/tokeni[sz]er$/i.test(lastName(object))) return [];
    const read = value && source.read(value);
    return read !== undefined && isSize(read.value) ? [read] : [];
  });
  const all = [...called, ...changed];
  const longest = all.reduce<ReadValue | undefined>(
    (best, read) => (best === undefined || Number(read.value) > Number(best.value) ? read : best),
    undefined,
  );
  const lengths = new Set(all.map((read) => read.value));
  const notes = lengths.size > 1 ? [`texts are cut to ${[...lengths].join(', ')} tokens in different places`] : [];
  const found = reading(source, longest);
  return found && { ...found, notes };
}

function reading(source: Source, read: ReadValue | undefined): RunReading<number> | undefined {
  if (read === undefined) return undefined;
  return { fact: factOf(source, read, Number(read.value)), options: read.options, notes: [] };
}
