import type { ClassDefinition, FunctionDefinition, Module, Statement } from '../python/ast.ts';
import { mentions } from '../python/mentions.ts';
import type { Names } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import { statementsOf } from '../python/walk.ts';

export interface AutogradFunction {
  readonly definition: ClassDefinition;
  readonly forward: FunctionDefinition | undefined;
  readonly backward: FunctionDefinition | undefined;
}

/** The classes of a file that are `torch.autograd.Function`s. */
export function autogradFunctions(module: Module, names: Names): AutogradFunction[] {
  if (!mentions(module, 'saved_tensors') && !mentions(module, 'enable_grad')) return [];
  return module.body.flatMap(classesIn).flatMap((definition) => {
    if (!definition.bases.some((base) => bases.has(names.qualifiedName(base) ?? ''))) return [];
    const method = (name: string): FunctionDefinition | undefined => {
      const found = definition.body.findLast((one) => one.kind === 'function' && one.name.name === name);
      return found?.kind === 'function' ? found : undefined;
    };
    return [{ definition, forward: method('forward'), backward: method('backward') }];
  });
}

const classesIn = oncePer((statement: Statement): readonly ClassDefinition[] =>
  [...statementsOf([statement])].filter((one) => one.kind === 'class'),
);

const bases: ReadonlySet<string> = new Set(['torch.autograd.Function', 'torch.autograd.function.Function']);
