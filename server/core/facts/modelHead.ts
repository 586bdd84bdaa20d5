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
  const { model } = reading;
  const built = classBuilt(here);
  const head = built === undefined ? undefined : headOf(built);
  if (model === undefined || built === undefined || head === undefined) return reading;
  if (model.settings?.head !== undefined) {
    const fact: Fact<string> = {
      value: head,
      origin: { kind: 'derived', from: built, place: source.placeOf(here.call.callee) },
    };
    return { ...reading, model: { ...model, settings: { ...model.settings, head: fact } } };
  }
  if (head === 'masked-language' || !isLanguageModel(model)) return reading;
  return {
    ...reading,
    notes: [...reading.notes, `${built} has no logits over the vocabulary; the account counts them`],
  };
}

/** `BertForTokenClassification` of transformers, whether its constructor, `from_pretrained` or `from_config` is called. */
function classBuilt({ call, qualified }: CallHere): string | undefined {
  if (qualified === undefined || !qualified.startsWith('transformers.')) return undefined;
  const isMaker = /^(from_pretrained|_?from_config)$/.test(lastName(call.callee));
  return qualified.split('.').at(isMaker ? -2 : -1);
}

/** In the words of `encoderHeadSettings`; undefined for classes with a head that no account knows. */
function headOf(built: string): string | undefined {
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
