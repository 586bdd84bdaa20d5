import type { Expression } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import type { Binding } from '../python/scope.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { lastName } from './source.ts';

/** Whether an imported name leads into a file of the workspace; libraries' names are known without a look into any file. */
export type IsOfWorkspace = (qualified: string) => boolean;

/**
 * Whether it is worth asking what a called name stands for. To follow a name into another file that file must be parsed, and
 * most calls are of helpers (`utils.setup()`, `trainer.step()`) that say nothing of a run. What makes models, trainers and
 * configurations has a name in capitals or one of a few words; a library may be reached under any name.
 */
export function isFollowed(callee: Expression, names: Names, isOfWorkspace: IsOfWorkspace): boolean {
  if (telling.test(lastName(callee))) return true;
  if (callee.kind === 'name') {
    const bindings = names.bindingsOf(callee);
    return bindings.length > 0 && bindings.every((binding) => isNear(binding, isOfWorkspace));
  }
  if (callee.kind !== 'attribute') return false;
  const owner = names.classOfSelf(callee.object);
  if (owner !== undefined) return names.memberValues(owner, callee.attribute.name).every(({ kind }) => kind !== 'call');
  const root = rootOf(callee.object);
  if (root === undefined) return false;
  return names
    .bindingsOf(root)
    .every((binding) => (binding.to === 'import' ? !isOfWorkspace(binding.qualified) : binding.to === 'definition'));
}

const telling =
  /^_*[A-Z]|[Cc]heckpoint|ckpt|offload|autocast|shard|fsdp|from_(pretrained|config|name)|for_model|(create|get|prepare)_\w*model|initialize|device_mesh|randint|apply_liger|default_dtype/;

const isNear = (binding: Binding, isOfWorkspace: IsOfWorkspace): boolean =>
  binding.to === 'import' ? !isOfWorkspace(binding.qualified) : binding.to !== 'value' || binding.value.kind !== 'call';

function rootOf(object: Expression): (Expression & { kind: 'name' }) | undefined {
  let current = object;
  while (current.kind === 'attribute') current = current.object;
  return current.kind === 'name' ? current : undefined;
}

/** What lies in the folders that absolute imports are looked up from; each first part of a name is asked for once. */
export function namesOfWorkspace(workspace: Workspace | undefined, file: string): IsOfWorkspace {
  const known = new Map<string, boolean>();
  const bases = [...(workspace?.roots ?? []), file.slice(0, Math.max(0, file.lastIndexOf('/')))];
  return (qualified) => {
    if (qualified.startsWith('.')) return true;
    const first = qualified.split('.', 1)[0] ?? '';
    const isHere = known.get(first) ?? bases.some((base) => workspace?.mayHold?.(`${base}/${first}`) === true);
    known.set(first, isHere);
    return isHere;
  };
}
