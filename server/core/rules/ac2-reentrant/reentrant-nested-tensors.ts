import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression } from '../../python/ast.ts';
import type { Names } from '../../python/names.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import { definitionOf } from '../../workspace/definitions.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import { returnedBy } from '../returnedValues.ts';
import { switchToNonReentrant } from '../switchVariant.ts';

export const rule: Rule = {
  code: 'AC204',
  name: 'reentrant-nested-tensors',
  severity: 'warning',
  summary: 'tensors inside lists, dicts or dataclasses at the edge of a reentrant region',
  *check(context): Generator<Finding> {
    for (const site of context.sitesWhere(hides, (one) => hiddenAt(one, context) !== undefined)) {
      const { input, output } = hiddenAt(site, context) ?? {};
      const what = input ?? output;
      if (what === undefined) continue;
      const fixes = switchToNonReentrant(context.module, [site], false);
      if (input !== undefined) {
        const message = `all tensors go in inside a ${input.kind}, where the reentrant variant does not look: the region gets no gradient`;
        yield { at: input.at, about: site.call, message, fixes };
      } else {
        const message = `tensors come back inside a ${what.kind}, where the reentrant variant does not look: they have no gradient`;
        yield { at: site.call.callee, about: site.call, message, fixes };
      }
    }
  },
};

const hides = Symbol('reentrant region that hides tensors');

function hiddenAt(
  site: CheckpointSite,
  context: LintContext,
): { readonly input?: Hidden; readonly output?: Hidden } | undefined {
  if (site.function !== 'checkpoint' || site.configuresOnly || !isReentrant(site)) return undefined;
  const input = hiddenInput(site, context.names);
  if (input !== undefined) return { input };
  const output = hiddenOutput(site, context);
  return output && { output };
}

interface Hidden {
  readonly at: Expression;
  readonly kind: string;
}

/** An argument that is a list or dict, where no other argument can be a tensor. */
function hiddenInput({ given }: CheckpointSite, names: Names): Hidden | undefined {
  const [, ...inputs] = given.positional;
  if (given.openPositional || given.keywords.some(({ name }) => name === 'function')) return undefined;
  const hidden = inputs.map(({ value, preset }) => (preset ? undefined : containerOf(value, names)));
  const first = hidden.findIndex((kind) => kind !== undefined);
  const argument = inputs[first];
  const kind = hidden[first];
  if (argument === undefined || kind === undefined) return undefined;
  const isAlone = inputs.every(({ value }, index) => hidden[index] !== undefined || isLiteral(value));
  return isAlone ? { at: argument.value, kind } : undefined;
}

/** Returned containers; where one `return` gives a tensor, the code may rely on that one. */
function hiddenOutput(site: CheckpointSite, context: LintContext): Hidden | undefined {
  const entry = context.region(site).entry;
  const returned = entry === undefined ? undefined : returnedBy(entry);
  if (entry === undefined || returned === undefined) return undefined;
  const kinds = returned.map((value) => outputKind(value, entry.file, context));
  const [kind] = kinds;
  const [at] = returned;
  return kind !== undefined && at !== undefined && kinds.every((one) => one !== undefined) ? { at, kind } : undefined;
}

function outputKind(value: Expression, file: SourceFile, context: LintContext): string | undefined {
  if (value.kind === 'tuple') {
    return value.elements.map((element) => containerOf(element, file.names)).find((kind) => kind !== undefined);
  }
  return containerOf(value, file.names) ?? dataclassOf(value, file, context);
}

/** `list` or `dict` for a display that holds something that may be a tensor. */
function containerOf(value: Expression, names: Names): string | undefined {
  switch (value.kind) {
    case 'list':
      return value.elements.some(mayBeTensor) ? 'list' : undefined;
    case 'dictionary':
      return value.entries.some((entry) => mayBeTensor(entry.value)) ? 'dict' : undefined;
    case 'comprehension':
      if (value.form === 'dictionary') return value.elements.slice(1).some(mayBeTensor) ? 'dict' : undefined;
      return value.form === 'list' && value.elements.some(mayBeTensor) ? 'list' : undefined;
    case 'name': {
      const bindings = names.bindingsOf(value);
      const [binding] = bindings;
      if (bindings.length !== 1 || binding?.to !== 'value' || binding.value.kind === 'name') return undefined;
      return containerOf(binding.value, names);
    }
    default:
      return undefined;
  }
}

/** Calls, attributes and names may be anything; only names, calls and arithmetic on them are taken for tensors. */
const mayBeTensor = (value: Expression): boolean =>
  ['name', 'call', 'attribute', 'subscript', 'binary'].includes(value.kind) && !isSize(value);

/** `x.shape[0]`, `len(x)`, `x.size(1)`. */
function isSize(value: Expression): boolean {
  switch (value.kind) {
    case 'subscript':
      return isSize(value.object);
    case 'attribute':
      return ['shape', 'device', 'dtype', 'ndim'].includes(value.attribute.name);
    case 'binary':
      return isSize(value.left) || isSize(value.right);
    case 'call':
      return value.callee.kind === 'name'
        ? ['len', 'int', 'float', 'str', 'bool', 'range'].includes(value.callee.name)
        : value.callee.kind === 'attribute' && ['size', 'dim', 'numel', 'item'].includes(value.callee.attribute.name);
    default:
      return false;
  }
}

const isLiteral = (value: Expression): boolean => ['constant', 'number', 'string'].includes(value.kind);

function dataclassOf(value: Expression, file: SourceFile, context: LintContext): string | undefined {
  if (value.kind !== 'call') return undefined;
  const { targets, complete } = file.names.resolve(value.callee);
  const [target] = targets;
  const defined =
    complete && targets.length === 1 && target !== undefined
      ? definitionOf(target, file, context.workspace)
      : undefined;
  if (defined?.definition.kind !== 'class') return undefined;
  if (defined.file !== context.file) context.names.holdsForNow();
  const isDataclass = defined.definition.decorators.some((decorator) => {
    const callee = decorator.kind === 'call' ? decorator.callee : decorator;
    return defined.file.names.qualifiedName(callee) === 'dataclasses.dataclass';
  });
  return isDataclass ? 'dataclass' : undefined;
}
