import { keywordNamed } from '../python/arguments.ts';
import type { Assign, ClassDefinition, Statement } from '../python/ast.ts';
import { statementsOf } from '../python/walk.ts';
import { applyActivationCheckpointing, wrapperModule } from '../rules/wrapperCalls.ts';
import { soleDefinition } from '../workspace/definitions.ts';
import type { SourceFile } from '../workspace/workspace.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import { importsAt } from './imports.ts';
import { type ApplyContext, type ApplyPlace, type Change, cannot, change, changeOr } from './place.ts';
import { indentUnitOf, lineAfter, removeStatement } from './sourceLayout.ts';

/** Calls of `apply_activation_checkpointing`, and models of the user's own classes that could get one. */
export function wrapperPlaces(context: ApplyContext): ApplyPlace[] {
  const calls = context.calls.to(...applyActivationCheckpointing);
  if (calls.length === 0) return ownModels(context);
  return calls.map(({ call, given }) => ({
    form: 'call',
    what: 'apply_activation_checkpointing()',
    at: call,
    isOn: true,
    put(chosen) {
      if (chosen.name === 'none') {
        const statement = context.around(call).statements.at(-1);
        const edit = statement === undefined ? undefined : removeStatement(context.module, statement);
        const isWhole = statement?.kind === 'expression' && statement.value === call;
        return changeOr(
          isWhole && edit !== undefined ? [edit] : undefined,
          `apply_activation_checkpointing() on line ${context.lineOf(call)} does not stand alone on its line`,
        );
      }
      const why = wholeLayersOnly(chosen);
      if (why !== undefined) return cannot(why);
      if (keywordNamed(given, 'check_fn') === undefined && given.positional.length < 3 && !given.openKeywords)
        return cannot(
          `without check_fn the call on line ${context.lineOf(call)} wraps every module at every depth; it needs the class of the layers`,
        );
      return change();
    },
  }));
}

const wholeLayersOnly = (chosen: ChosenStrategy): string | undefined =>
  chosen.name === 'full' && chosen.segment === 1
    ? undefined
    : `apply_activation_checkpointing wraps every layer by itself; ${chosenText(chosen)} needs a loop of your own`;

/** `model = GPT(config)` in a file with a training step, where the class, here or in another file, shows its layers' class. */
function ownModels(context: ApplyContext): ApplyPlace[] {
  if (context.calls.named('backward').length === 0) return [];
  const models = [...statementsOf(context.module.body)].flatMap((statement) => modelMade(context, statement) ?? []);
  return models.map((model) => ({
    form: 'model',
    what: `the model ${model.name}`,
    at: model.statement,
    isOn: false,
    put(chosen) {
      if (chosen.name === 'none') return change();
      const why = wholeLayersOnly(chosen);
      if (why !== undefined) return cannot(why);
      if (models.length > 1)
        return cannot('this file makes several models, and it is not certain which one is trained');
      return wrapped(context, model);
    },
  }));
}

interface OwnModel {
  readonly statement: Assign;
  readonly name: string;
  /** The class of the layers, and how this file may import it. */
  readonly layer: string;
  readonly layerIn: string | undefined;
}

function modelMade(context: ApplyContext, statement: Statement): OwnModel | undefined {
  if (statement.kind !== 'assign' || statement.targets.length !== 1 || statement.value?.kind !== 'call')
    return undefined;
  const [target] = statement.targets;
  const { callee } = statement.value;
  const defined = soleDefinition(callee, context.file, context.workspace);
  if (target?.kind !== 'name' || defined?.definition.kind !== 'class') return undefined;
  const layer = layerClass(defined.file, defined.definition);
  if (layer === undefined) return undefined;
  const common = { statement, name: target.name, layer };
  if (defined.file === context.file || defined.file.path === context.file.path)
    return { ...common, layerIn: undefined };
  const qualified = context.names.qualifiedName(callee);
  return qualified === undefined ? undefined : { ...common, layerIn: qualified.slice(0, qualified.lastIndexOf('.')) };
}

const containers: ReadonlySet<string> = new Set(['torch.nn.ModuleList', 'torch.nn.Sequential']);

/** The one class of which a model makes a list: `nn.ModuleList([Block(config) for _ in range(n)])`. */
function layerClass({ names, module }: SourceFile, model: ClassDefinition): string | undefined {
  const found = new Set<string>();
  for (const statement of statementsOf(model.body)) {
    const value = statement.kind === 'assign' ? statement.value : undefined;
    if (value?.kind !== 'call' || !containers.has(names.qualifiedName(value.callee) ?? '')) continue;
    for (const { value: argument } of value.arguments) {
      const element = argument.kind === 'comprehension' ? argument.elements[0] : undefined;
      if (element?.kind === 'call' && element.callee.kind === 'name') found.add(element.callee.name);
    }
  }
  const [only] = found;
  const isOwn = module.body.some((one) => one.kind === 'class' && one.name.name === only);
  return found.size === 1 && isOwn ? only : undefined;
}

function wrapped(context: ApplyContext, { statement, name, layer, layerIn }: OwnModel): Change {
  const imports = importsAt(context, statement);
  const apply = imports.nameOf(`${wrapperModule}.apply_activation_checkpointing`);
  const wrapper = imports.nameOf(`${wrapperModule}.checkpoint_wrapper`);
  const block = layerIn === undefined ? layer : imports.nameOf(`${layerIn}.${layer}`);
  if (apply === undefined || wrapper === undefined || block === undefined)
    return cannot('there is no import in this file that torch’s functions could go beside');
  const unit = indentUnitOf(context.module.text, context.around(statement).function ?? { body: [] }, '');
  const edit = lineAfter(context.module, statement, [
    `${apply}(`,
    `${unit}${name},`,
    `${unit}checkpoint_wrapper_fn=${wrapper},`,
    `${unit}check_fn=lambda module: isinstance(module, ${block}),`,
    ')',
  ]);
  return edit === undefined
    ? cannot(`other code shares line ${context.lineOf(statement)}`)
    : change(edit, ...imports.edits());
}
