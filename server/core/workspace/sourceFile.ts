import type { Module } from '../python/ast.ts';
import { asItIs, type NameKnowledge, type Names, namesOf } from '../python/names.ts';
import { torchKnowledge } from '../torch/checkpointApi.ts';
import { following } from './followNames.ts';
import { type ParseSection, type PartReader, partReader } from './partReader.ts';
import type { SourceFile, Workspace } from './workspace.ts';

/** With a workspace, names are followed through imports into its other files. */
export const sourceFile = (path: string, module: Module, workspace?: Workspace): SourceFile => ({
  path,
  text: module.text,
  module,
  names: namesOf(module, knowledgeIn(path, workspace)),
});

/** A file that is parsed when something in it is first asked for; most files a name leads to never are. */
export function unreadSourceFile(
  path: string,
  text: string,
  parse: ParseSection,
  workspace: Workspace,
  answers: NonNullable<SourceFile['answers']>,
): SourceFile {
  let module: Module | undefined;
  let names: Names | undefined;
  let reader: PartReader | undefined;
  // One for the file and its parts: files that import each other are noticed where a name comes back to where it was asked.
  const knowledge = knowledgeIn(path, workspace);
  return {
    path,
    text,
    answers,
    get module() {
      module ??= parse(text);
      return module;
    },
    get names() {
      names ??= namesOf(this.module, knowledge);
      return names;
    },
    follow: (qualified) => knowledge.follow?.(qualified, false) ?? asItIs(qualified),
    inPart(name, ask) {
      if (module !== undefined) return ask(this);
      reader ??= partReader(this, parse, (part, asked) => ({
        path,
        text,
        module: part,
        names: namesOf(part, { ...knowledge, asked }),
      }));
      return reader(name, ask);
    },
  };
}

const knowledgeIn = (path: string, workspace: Workspace | undefined): NameKnowledge =>
  workspace === undefined ? torchKnowledge : { ...torchKnowledge, ...following(path, workspace) };
