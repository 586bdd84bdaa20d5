import { keywordNamed } from '../python/arguments.ts';
import type { Expression } from '../python/ast.ts';
import type { CallIndex, ResolvedCall } from '../python/calls.ts';
import { type Constant, constantOf } from '../python/constants.ts';
import type { Names } from '../python/names.ts';

/** The arguments classes of Hugging Face trainers, by qualified name. */
const transformersClasses = [
  'transformers.TrainingArguments',
  'transformers.Seq2SeqTrainingArguments',
  'transformers.training_args.TrainingArguments',
  'transformers.training_args_seq2seq.Seq2SeqTrainingArguments',
];
const trlClasses = ['SFT', 'DPO', 'CPO', 'ORPO', 'KTO', 'BCO', 'Reward', 'PRM', 'GRPO', 'RLOO', 'GKD', 'OnlineDPO'].map(
  (method) => `trl.${method}Config`,
);
const trainerClasses = [
  'transformers.Trainer',
  'transformers.Seq2SeqTrainer',
  'transformers.trainer.Trainer',
  ...trlClasses.map((name) => name.replace(/Config$/, 'Trainer')),
];

/** Calls that make the arguments of a transformers Trainer, and nobody else's class of that name. */
export const trainingArguments = (calls: CallIndex): readonly ResolvedCall[] => calls.to(...transformersClasses);

/** The same with the argument classes of TRL's trainers, which are subclasses. */
export const trainerConfigs = (calls: CallIndex): readonly ResolvedCall[] =>
  calls.to(...transformersClasses, ...trlClasses);

/** Calls that make a trainer of transformers or TRL. */
export const trainers = (calls: CallIndex): readonly ResolvedCall[] => calls.to(...trainerClasses);

/** The constant given for a keyword; undefined where it is absent or not known. */
export function constantGiven({ given }: ResolvedCall, name: string, names: Names): Constant | undefined {
  const keyword = keywordNamed(given, name);
  return keyword === undefined ? undefined : constantOf(keyword.value, names);
}

/** The literal a name was bound to, or the expression itself. */
export function literalBehind(expression: Expression, names: Names): Expression {
  if (expression.kind !== 'name') return expression;
  const bindings = names.bindingsOf(expression);
  const [binding] = bindings;
  return bindings.length === 1 && binding?.to === 'value' ? binding.value : expression;
}
