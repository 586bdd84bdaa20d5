import type { Module } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import { sectionsBinding, sectionsIn } from './parts.ts';
import type { SourceFile } from './workspace.ts';

/** Answers questions as `SourceFile.inPart` does. */
export type PartReader = <Answer>(name: string, ask: (part: SourceFile) => Answer) => Answer;

/** All of a text, or one of its sections. */
export type ParseSection = (text: string, section?: Span) => Module;

/** Makes a file of part of a module, and tells of each name of the module that its answers rest on. */
export type MakePart = (module: Module, asked: (name: string) => void) => SourceFile;

interface Part {
  readonly file: SourceFile;
  readonly sections: ReadonlySet<number>;
  /** Names whose bindings in the module decided what has been answered. */
  readonly asked: Set<string>;
}

/** Parses the sections of a file one by one, as questions need them. */
export function partReader(file: SourceFile, parse: ParseSection, makePart: MakePart): PartReader {
  const { text } = file;
  const sections = sectionsIn(file);
  const binding = remembering((name: string) => sectionsBinding(name, sections));
  const moduleOf = remembering((index: number): Module => {
    const section = sections[index] ?? { start: 0, end: 0 };
    return parse(text, { start: section.start, end: section.end });
  });
  let idle: Part | undefined;
  return (name, ask) => {
    const wanted = new Set([...(idle?.sections ?? []), ...binding(name)]);
    for (;;) {
      const part = partWith(wanted);
      // Files that import each other come back while a part is asked, and it answers one question at a time.
      idle = undefined;
      const answer = ask(part.file);
      idle = part;
      for (const asked of part.asked) for (const section of binding(asked)) wanted.add(section);
      if (wanted.size === part.sections.size) return answer;
    }
  };

  function partWith(wanted: ReadonlySet<number>): Part {
    if (idle !== undefined && idle.sections.size === wanted.size) return idle;
    const modules = [...wanted].sort((a, b) => a - b).map(moduleOf);
    const module: Module = {
      text,
      body: modules.flatMap(({ body }) => body),
      comments: modules.flatMap(({ comments }) => comments),
      unreliable: modules.flatMap(({ unreliable }) => unreliable),
    };
    const asked = new Set<string>();
    return { file: makePart(module, (name) => asked.add(name)), sections: new Set(wanted), asked };
  }
}

function remembering<Key, Result>(find: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(key);
    known.set(key, found);
    return found;
  };
}
