import { familyNamed } from '../families/generated/registry.ts';
import type { Fact, ModelFacts } from './facts.ts';
import type { ModelReading } from './modelReading.ts';
import { type CallHere, lastName, type Source } from './source.ts';

/**
 * With the head that the class puts on the model: `AutoModelForSequenceClassification` has a few labels where a language
 * model has logits over the vocabulary. Where a family's account knows of one head only, a note says that the class has
 * another.
 */
export function withHeadOfClass(source: Source, here: CallHere, reading: ModelReading): ModelReading {
  const built = classBuilt(here);
  if (built === undefined) return reading;
  if (otherHeads.test(built) && reading.model !== undefined)
    return { ...reading, notes: [...reading.notes, `${built} has a head of its own; a language model's is counted`] };
  const name = headOf(built);
  if (name === undefined) return reading;
  const head: Fact<string> = {
    value: name,
    origin: { kind: 'derived', from: built, place: source.placeOf(here.call.callee) },
  };
  if (reading.model === undefined) return { ...reading, head };
  const { model, note } = withHead(reading.model, head);
  return { ...reading, head, model, notes: note === undefined ? reading.notes : [...reading.notes, note] };
}

/** The model with that head, or a note why it is counted with another. */
export function withHead(
  model: ModelFacts,
  head: Fact<string>,
): { readonly model: ModelFacts; readonly note?: string } {
  if (model.settings?.head !== undefined) return { model: { ...model, settings: { ...model.settings, head } } };
  if (head.value === 'masked-language' || !isLanguageModel(model)) return { model };
  const { origin } = head;
  const what = origin.kind === 'derived' ? origin.from : head.value;
  return { model, note: `${what} has no logits over the vocabulary; the account counts them` };
}

/** `BertForTokenClassification` of transformers, whether its constructor, `from_pretrained` or `from_config` is called. */
function classBuilt({ call, qualified }: CallHere): string | undefined {
  if (qualified === undefined || !qualified.startsWith('transformers.')) return undefined;
  const isMaker = /^(from_pretrained|_?from_config)$/.test(lastName(call.callee));
  return qualified.split('.').at(isMaker ? -2 : -1);
}

/** Small heads of encoders that no account knows. */
const otherHeads = /For(MultipleChoice|NextSentencePrediction)$/;

/** In the words of `encoderHeadSettings`; undefined for classes with the head that the model has anyway. */
function headOf(built: string): string | undefined {
  // GPT-2's generation of classes has the head in the middle of its name.
  if (/(LMHead|DoubleHeads)Model$/.test(built)) return 'masked-language';
  const task = /For([A-Z]\w+)$/.exec(built)?.[1];
  if (task === undefined) return /(^Auto|[a-z\d])Model$/.test(built) ? 'none' : undefined;
  return headsOfTasks[task];
}

const headsOfTasks: Readonly<Record<string, string>> = {
  MaskedLM: 'masked-language',
  PreTraining: 'masked-language',
  CausalLM: 'masked-language',
  SequenceClassification: 'sequence-classification',
  TokenClassification: 'token-classification',
  QuestionAnswering: 'question-answering',
};

const isLanguageModel = ({ family }: ModelFacts): boolean => {
  const known = familyNamed(family.value);
  return known !== undefined && known.readsImages === undefined;
};
