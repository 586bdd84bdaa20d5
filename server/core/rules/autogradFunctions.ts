import type { ClassDefinition, FunctionDefinition, Module } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import { statementsOf } from '../python/walk.ts';

export interface AutogradFunction {
  readonly definition: ClassDefinition;
  readonly forward: FunctionDefinition | undefined;
  readonly backward: FunctionDefinition | undefined;
}

/** The classes of a file that are `torch.autograd.Function`s. */
export function autogradFunctions(module: Module, names: Names): AutogradFunction[] {
  if (!module.text.includes('saved_tensors') && !module.text.includes('enable_grad')) return [];
  return [...statementsOf(module.body)].flatMap((definition) => {
    if (definition.kind !== 'class') return [];
    if (!definition.bases.some((base) => bases.has(names.qualifiedName(base) ?? ''))) return [];
    const method = (name: string): FunctionDefinition | undefined => {
      const found = definition.body.findLast((one) => one.kind === 'function' && one.name.name === name);
      return found?.kind === 'function' ? found : undefined;
    };
    return [{ definition, forward: method('forward'), backward: method('backward') }];
  });
}

const bases: ReadonlySet<string> = new Set(['torch.autograd.Function', 'torch.autograd.function.Function']);
