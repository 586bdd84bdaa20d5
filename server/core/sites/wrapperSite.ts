import { keywordNamed } from '../python/arguments.ts';
import type { Call, Expression, FunctionDefinition } from '../python/ast.ts';
import { type CallIndex, callIndex } from '../python/calls.ts';
import type { Target } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import { contains } from '../text/span.ts';
import { checkpointFunctions } from '../torch/checkpointApi.ts';
import { askDefinition, type Defined, definitionOf, writtenDefinition } from '../workspace/definitions.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import { type CheckpointSite, checkpointSites } from './checkpointSite.ts';
import { callsIn } from './region.ts';

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

/** `among` leaves out calls of which it is known that they are none. */
export function wrapperSites(
  file: SourceFile,
  calls: CallIndex,
  workspace: Workspace | undefined,
  among: readonly Call[] = calls.all(),
): WrapperSite[] {
  return among.flatMap((call) => {
    const target = calls.target(call);
    if (target === undefined || isNoWrapper(target, file, workspace)) return [];
    const defined = definitionOf(target, file, workspace);
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

/** Most names lead to files that never speak of checkpoints: their text says so, without parsing. */
function isNoWrapper({ qualified }: Target, from: SourceFile, workspace: Workspace | undefined): boolean {
  if (qualified === undefined || workspace === undefined) return false;
  const written = writtenDefinition(qualified, from.path, workspace);
  if (written !== undefined && (written.kind === 'class' || !written.file.text.includes('checkpoint'))) return true;
  return askDefinition(qualified, from.path, workspace, callsCheckpoint) !== true;
}

const callsCheckpoint = ({ file, definition }: Defined): boolean =>
  definition.kind === 'function' &&
  callsIn(definition).some(({ callee }) =>
    file.names.resolve(callee).targets.some(({ qualified }) => checkpointFunctions.has(qualified ?? '')),
  );

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
