import type { Module } from '../python/ast.ts';
import { type Names, namesOf } from '../python/names.ts';
import { torchKnowledge } from '../torch/checkpointApi.ts';
import { following } from './followNames.ts';
import type { SourceFile, Workspace } from './workspace.ts';

/** With a workspace, names are followed through imports into its other files. */
export const sourceFile = (path: string, module: Module, workspace?: Workspace): SourceFile => ({
  path,
  text: module.text,
  module,
  names: namesIn(path, module, workspace),
});

/** A file that is parsed when something in it is first asked for; most files a name leads to never are. */
export function unreadSourceFile(
  path: string,
  text: string,
  parse: (text: string) => Module,
  workspace: Workspace,
  answers: NonNullable<SourceFile['answers']>,
): SourceFile {
  let module: Module | undefined;
  let names: Names | undefined;
  return {
    path,
    text,
    answers,
    get module() {
      module ??= parse(text);
      return module;
    },
    get names() {
      names ??= namesIn(path, this.module, workspace);
      return names;
    },
  };
}

function namesIn(path: string, module: Module, workspace: Workspace | undefined): Names {
  return namesOf(
    module,
    workspace === undefined ? torchKnowledge : { ...torchKnowledge, ...following(path, workspace) },
  );
}
