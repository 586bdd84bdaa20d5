import { givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Assign, Call, Statement } from '../python/ast.ts';
import { statementsOf } from '../python/walk.ts';
import { pretrainedModel } from '../rules/pretrainedModel.ts';
import { trainers } from '../rules/trainingArguments.ts';
import { isAtLeast, isBefore } from '../torch/version.ts';
import { addKeywords } from './addKeywords.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import { type ApplyContext, type ApplyPlace, type Change, cannot, change, changeOr } from './place.ts';
import { lineAfter, removeStatement } from './sourceLayout.ts';

const method = 'gradient_checkpointing_enable';
const options = 'gradient_checkpointing_kwargs';

/** Calls of `model.gradient_checkpointing_enable(…)`, and models of transformers that could get one. */
export function enablePlaces(context: ApplyContext): ApplyPlace[] {
  if (!context.module.text.includes('transformers')) return [];
  const calls = context.calls.named(method).filter(({ callee }) => callee.kind === 'attribute');
  if (calls.length > 0) return calls.map((call) => enablingCall(context, call));
  // The Trainer decides by its own arguments, and replaces what the model was told before.
  if (trainers(context.calls).length > 0) return [];
  return loadedModels(context);
}

function enablingCall(context: ApplyContext, call: Call): ApplyPlace {
  const given = givenArguments([], call.arguments);
  const kwargs = keywordNamed(given, options) ?? given.positional[0];
  return {
    form: 'call',
    what: `${method}()`,
    at: call,
    isOn: true,
    put(chosen) {
      if (chosen.name === 'none') return withoutCall(context, call);
      const why = wholeLayersOnly(chosen);
      if (why !== undefined) return cannot(why);
      if (kwargs !== undefined || given.openKeywords || given.openPositional) return change();
      return changeOr(
        addKeywords(context.module, call, kwargsFor(context)),
        'no keyword can follow the arguments of this call',
      );
    },
  };
}

function withoutCall(context: ApplyContext, call: Call): Change {
  const why = `${method}() on line ${context.lineOf(call)} does not stand alone on its line`;
  const statement = context.around(call).statements.at(-1);
  if (statement?.kind !== 'expression' || statement.value !== call) return cannot(why);
  const edit = removeStatement(context.module, statement);
  return changeOr(edit && [edit], why);
}

const wholeLayersOnly = (chosen: ChosenStrategy): string | undefined =>
  chosen.name === 'full' && chosen.segment === 1
    ? undefined
    : `models of transformers checkpoint every layer by itself; ${chosenText(chosen)} needs a loop of your own`;

/** The default since 5.0; before 4.35 the method takes no options. */
const kwargsFor = ({ versions: { transformers } }: ApplyContext): readonly string[] =>
  isAtLeast(transformers, 5, 0) || isBefore(transformers, 4, 35) ? [] : [`${options}={"use_reentrant": False}`];

/** `model = AutoModelForCausalLM.from_pretrained(…)`, where it is the one model a file with a training step loads. */
function loadedModels(context: ApplyContext): ApplyPlace[] {
  if (context.calls.named('backward').length === 0) return [];
  const loading = [...statementsOf(context.module.body)].flatMap((statement) => {
    const name = loadedAs(context, statement);
    return name === undefined ? [] : [{ statement, name }];
  });
  return loading.map(({ statement, name }) => ({
    form: 'model',
    what: `the model ${name}`,
    at: statement,
    isOn: false,
    put(chosen) {
      if (chosen.name === 'none') return change();
      const why = wholeLayersOnly(chosen);
      if (why !== undefined) return cannot(why);
      if (loading.length > 1)
        return cannot('this file loads several models, and it is not certain which one is trained');
      const edit = lineAfter(context.module, statement, [`${name}.${method}(${kwargsFor(context).join(', ')})`]);
      return changeOr(edit && [edit], `other code shares line ${context.lineOf(statement)}`);
    },
  }));
}

const trained = /^(AutoModel|\w+For[A-Z]\w+|\w+LMHeadModel$)/;

function loadedAs({ names }: ApplyContext, statement: Statement): string | undefined {
  if (!isSimple(statement)) return undefined;
  const [target] = statement.targets;
  const loaded = statement.value === undefined ? undefined : pretrainedModel(statement.value, names);
  const isOwnLoading = loaded !== undefined && statement.value !== undefined && loaded.loading.start >= statement.start;
  if (target?.kind !== 'name' || !isOwnLoading || loaded.library !== 'transformers') return undefined;
  return trained.test(loaded.className) ? target.name : undefined;
}

const isSimple = (statement: Statement): statement is Assign =>
  statement.kind === 'assign' && statement.targets.length === 1;
