import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { ClassDefinition, FunctionDefinition } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { statementsOf } from '../../python/walk.ts';
import { callsIn } from '../../sites/region.ts';
import type { TextEdit } from '../../text/edit.ts';
import { isBefore } from '../../torch/version.ts';
import { trainers } from '../trainingArguments.ts';

const method = 'gradient_checkpointing_enable';
const container = 'gradient_checkpointing_kwargs';

export const rule: Rule = {
  code: 'AC607',
  name: 'override-without-kwargs',
  severity: 'warning',
  summary: 'a class with its own `gradient_checkpointing_enable` that takes no options',
  *check(context): Generator<Finding> {
    const { module, versions } = context;
    if (!mentions(module, `def ${method}`) || isBefore(versions.transformers, 4, 35)) return;
    for (const owner of statementsOf(module.body)) {
      if (owner.kind !== 'class') continue;
      const own = owner.body.findLast((one) => one.kind === 'function' && one.name.name === method);
      // Any second parameter takes the options: the Trainer's keyword, or a dictionary given by position.
      if (own?.kind !== 'function' || own.parameters.length !== 1 || own.decorators.length > 0) continue;
      const isTrained = isTransformersModel(context, owner) || isGivenToTrainer(context, owner);
      if (!isTrained && delegated(own).length === 0) continue;
      yield {
        at: own.name,
        about: own,
        severity: isTrained ? 'warning' : 'information',
        message: isTrained
          ? `takes no ${container}: the Trainer gives it and raises TypeError`
          : `takes no ${container}: nobody can choose the variant through it, and a transformers Trainer raises TypeError`,
        fixes: fixesFor(context, own),
      };
    }
  },
};

/** Calls of the same method on a part of the model, without options. */
const delegated = (own: FunctionDefinition) =>
  callsIn(own).filter(
    ({ callee, arguments: given }) =>
      callee.kind === 'attribute' && callee.attribute.name === method && given.length === 0,
  );

function isTransformersModel({ names }: LintContext, owner: ClassDefinition): boolean {
  return owner.bases.some((base) => /^transformers\..*Model/.test(names.qualifiedName(base) ?? ''));
}

/** `Trainer(model=Wrapper(…))`, written so or through a name. */
function isGivenToTrainer({ calls, names }: LintContext, owner: ClassDefinition): boolean {
  return trainers(calls).some(({ given }) => {
    const model = (keywordNamed(given, 'model') ?? given.positional[0])?.value;
    const values =
      model?.kind === 'name'
        ? names.bindingsOf(model).flatMap((one) => (one.to === 'value' ? [one.value] : []))
        : model === undefined
          ? []
          : [model];
    return values.some(
      (value) =>
        value.kind === 'call' && names.resolve(value.callee).targets.some(({ definition }) => definition === owner),
    );
  });
}

function fixesFor({ module }: LintContext, own: FunctionDefinition): Fix[] {
  const self = own.parameters[0];
  if (self === undefined) return [];
  const parameter: TextEdit = { span: { start: self.end, end: self.end }, text: `, ${container}=None` };
  const passed = delegated(own).map((call) => addKeyword(module, call, `${container}=${container}`));
  if (passed.some((edits) => edits === undefined)) return [];
  const edits = [parameter, ...passed.flatMap((one) => one ?? [])];
  const title = `Take ${container}${passed.length > 0 ? ' and pass it on' : ''}`;
  return [{ title, preferred: true, edits }];
}
