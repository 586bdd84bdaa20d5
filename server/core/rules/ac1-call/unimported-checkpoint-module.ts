import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression, Import, ImportFrom, Statement } from '../../python/ast.ts';
import { statementsOf } from '../../python/walk.ts';
import { isBefore } from '../../torch/version.ts';

const wanted = 'torch.utils.checkpoint';

export const rule: Rule = {
  code: 'AC113',
  name: 'unimported-checkpoint-module',
  severity: 'hint',
  summary: '`torch.utils.checkpoint.checkpoint` in a file that does not import the module',
  *check(context): Generator<Finding> {
    const { sites, module, names, versions } = context;
    // `import torch` itself loads the module in 2.13 and later.
    if (versions.torch !== undefined && !isBefore(versions.torch, 2, 13)) return;
    const site = sites.find(({ call }) => isReachedThroughTorch(call.callee, context));
    if (site === undefined) return;
    const imports = [...statementsOf(module.body)].filter(isImport);
    if (imports.some(importsTheModule)) return;
    const object = site.call.callee.kind === 'attribute' ? site.call.callee.object : site.call.callee;
    yield {
      at: object,
      about: site.call,
      message: `nothing here imports ${wanted}: the attribute is there only if other code has loaded it, and may raise AttributeError`,
      fixes: addImport(context),
    };

    function importsTheModule(statement: Import | ImportFrom): boolean {
      if (statement.kind === 'import')
        return statement.names.some(({ name }) => name === wanted || name.startsWith(`${wanted}.`));
      if (statement.level > 0) return false;
      return (
        statement.module === wanted ||
        (statement.module === 'torch.utils' && statement.names.some(({ name }) => name === 'checkpoint'))
      );
    }

    function isReachedThroughTorch(callee: Expression, { names: { bindingsOf } }: LintContext): boolean {
      let root = callee;
      while (root.kind === 'attribute') root = root.object;
      if (root === callee || root.kind !== 'name' || !names.qualifiedName(callee)?.startsWith(`${wanted}.`))
        return false;
      const bindings = bindingsOf(root);
      const [binding] = bindings;
      return bindings.length === 1 && binding?.to === 'import' && ['torch', 'torch.utils'].includes(binding.qualified);
    }
  },
};

const isImport = (statement: Statement): statement is Import | ImportFrom =>
  statement.kind === 'import' || statement.kind === 'importFrom';

/** A line behind the file's `import torch`, where that has its line for itself. */
function addImport({ module: { text, body } }: LintContext): Fix[] {
  const statement = body.find((one) => one.kind === 'import' && one.names.some(({ name }) => name === 'torch'));
  if (statement === undefined) return [];
  const lineBreak = /\r\n?|\n/g;
  lineBreak.lastIndex = statement.end;
  const match = lineBreak.exec(text);
  if (match === null || text.slice(statement.end, match.index).includes(';')) return [];
  const edits = [{ span: { start: match.index, end: match.index }, text: `${match[0]}import ${wanted}` }];
  return [{ title: `Add import ${wanted}`, preferred: true, edits }];
}
