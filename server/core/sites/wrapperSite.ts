import { keywordNamed } from '../python/arguments.ts';
import type { Call, Expression, FunctionDefinition } from '../python/ast.ts';
import { type CallIndex, callIndex } from '../python/calls.ts';
import { oncePer } from '../python/oncePer.ts';
import { contains } from '../text/span.ts';
import { definitionOf } from '../workspace/definitions.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import { type CheckpointSite, checkpointSites } from './checkpointSite.ts';

/**
 * A call of a function of the user's own that hands a function on to `checkpoint`: `run_layer(self.block, x)` where
 * `run_layer` calls `checkpoint(function, *inputs, use_reentrant=False)`. The variant is decided there, not here.
 */
export interface WrapperSite {
  readonly call: Call;
  readonly wrapper: FunctionDefinition;
  readonly wrapperFile: SourceFile;
  /** The call inside the wrapper. */
  readonly inner: CheckpointSite;
  /** What this call gives for the function to run; undefined where it stands in a `*splat`. */
  readonly function: Expression | undefined;
}

export function wrapperSites(file: SourceFile, calls: CallIndex, workspace: Workspace | undefined): WrapperSite[] {
  return calls.all.flatMap((call) => {
    const target = calls.target(call);
    const defined = target === undefined ? undefined : definitionOf(target, file, workspace);
    if (defined?.definition.kind !== 'function') return [];
    const wrapper = wrappers(defined.file).get(defined.definition);
    if (wrapper === undefined || (defined.file === file && contains(defined.definition, call))) return [];
    const { inner, position, parameter } = wrapper;
    const isMethod = call.callee.kind === 'attribute' && defined.definition.parameters[0]?.name === 'self';
    const given = call.arguments.filter((argument) => argument.kind === 'positional');
    const named = call.arguments.find((argument) => argument.kind === 'keyword' && argument.name.name === parameter);
    const passed = named ?? given[position - (isMethod ? 1 : 0)];
    return [{ call, wrapper: defined.definition, wrapperFile: defined.file, inner, function: passed?.value }];
  });
}

interface Wrapper {
  readonly inner: CheckpointSite;
  readonly parameter: string;
  readonly position: number;
}

/** The functions of a file that hand one of their own parameters to `checkpoint`. */
const wrappers = oncePer((file: SourceFile): ReadonlyMap<FunctionDefinition, Wrapper> => {
  const found = new Map<FunctionDefinition, Wrapper>();
  for (const inner of checkpointSites(file, callIndex(file.module, file.names))) {
    const first = keywordNamed(inner.given, 'function') ?? inner.given.positional[0];
    if (first?.value.kind !== 'name') continue;
    const [binding, ...others] = file.names.bindingsOf(first.value);
    if (binding?.to !== 'parameter' || others.length > 0) continue;
    const { node } = binding.scope;
    if (!('kind' in node) || node.kind !== 'function') continue;
    found.set(node, { inner, parameter: binding.parameter.name, position: node.parameters.indexOf(binding.parameter) });
  }
  return found;
});
