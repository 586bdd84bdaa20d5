import type { Finding, LintContext } from '../lint/rule.ts';
import type { Assign, Expression, Name } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import { mentions } from '../python/mentions.ts';
import { statementsOf } from '../python/walk.ts';
import { pretrainedModel } from './pretrainedModel.ts';

/**
 * `model.gradient_checkpointing = True` on a loaded model of transformers whose layers each read a flag of their own, and the
 * same on its configuration, which was read when the model was made.
 */
export function* unreadModelFlags(context: LintContext): Generator<Finding> {
  const { module, names } = context;
  if (!mentions(module, flagSet) || mentions(module, 'gradient_checkpointing_enable')) return;
  for (const statement of statementsOf(module.body)) {
    if (statement.kind !== 'assign' || statement.value === undefined || constantOf(statement.value, names) !== true)
      continue;
    const [target] = statement.targets;
    if (target?.kind !== 'attribute' || target.attribute.name !== 'gradient_checkpointing') continue;
    const found = modelOf(target.object);
    const loaded = found === undefined ? undefined : pretrainedModel(found.model, names);
    if (found === undefined || loaded?.library !== 'transformers') continue;
    const { model, isConfiguration } = found;
    // A configuration that is handed on makes another model; a bare model may read the flag itself.
    if (isConfiguration ? isHandedOn(model.name, module.text) : !/For[A-Z]|LMHead/.test(loaded.className)) continue;
    yield finding(statement, target, model.name, isConfiguration);
  }
}

const flagSet = /\.gradient_checkpointing[ \t]*=/;

function finding(statement: Assign, target: Expression, model: string, isConfiguration: boolean): Finding {
  const enable = `${model}.gradient_checkpointing_enable()`;
  const why = isConfiguration
    ? 'the configuration was read when the model was made'
    : 'each layer of the model reads a flag of its own';
  return {
    at: target,
    about: statement,
    message: `changes nothing: ${why}; ${enable} reaches the layers`,
    // The method runs the variant that is the default of the installed version: a person chooses.
    fixes: [
      {
        title: `Change to ${enable}`,
        preferred: false,
        edits: [{ span: { start: statement.start, end: statement.end }, text: enable }],
      },
    ],
  };
}

function modelOf(object: Expression): { readonly model: Name; readonly isConfiguration: boolean } | undefined {
  if (object.kind === 'name') return { model: object, isConfiguration: false };
  return object.kind === 'attribute' && object.attribute.name === 'config' && object.object.kind === 'name'
    ? { model: object.object, isConfiguration: true }
    : undefined;
}

const isHandedOn = (model: string, text: string): boolean =>
  new RegExp(`\\b${model}\\.config\\b(?!\\s*\\.)`).test(text);
