import type { Comment } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import { ShellReader } from './shellReader.ts';

/** A shell script as far as command lines go: which words are given to which program, and what variables hold. */
export interface ShellScript {
  readonly commands: readonly ShellCommand[];
  readonly assignments: readonly ShellAssignment[];
  readonly comments: readonly Comment[];
}

export interface ShellCommand extends Span {
  readonly words: readonly ShellWord[];
  /** `NAME=value` in front of the program: only this command sees it. */
  readonly environment: readonly ShellAssignment[];
}

export interface ShellAssignment extends Span {
  readonly name: string;
  /** `NAME+=…`. */
  readonly append: boolean;
  /** Inside `if`, `for`, `while`, `case` or a function: it may never run, or run again. */
  readonly conditional: boolean;
  /** An array's elements; one word for a plain value. */
  readonly words: readonly ShellWord[];
  readonly isArray: boolean;
}

export interface ShellWord extends Span {
  readonly parts: readonly ShellPart[];
}

export type ShellPart =
  /** `text` stands at `start` unit for unit: escapes and line continuations end a part. */
  | ({ readonly kind: 'text'; readonly text: string; readonly quoted: boolean } & Span)
  /** `$NAME`, `${NAME}`, `${NAME[@]}` and nothing more. */
  | ({ readonly kind: 'variable'; readonly name: string; readonly quoted: boolean; readonly all: boolean } & Span)
  /** `$((…))` with what stands between the brackets. */
  | ({ readonly kind: 'arithmetic'; readonly expression: string; readonly quoted: boolean } & Span)
  /** `$(…)`, `${NAME:-…}`, `$1`, globs: something only a run could tell. */
  | ({
      readonly kind: 'unknown';
      readonly quoted: boolean;
      readonly all: boolean;
      /** What `${NAME:-text}` is where the variable is not set; absent for everything else. */
      readonly otherwise?: string;
      /** What such a default ends in, behind a folder that is not known. */
      readonly ending?: string;
      /** `$1`, `${2}`: whoever starts the script may give it. */
      readonly isArgument: boolean;
    } & Span);

/** Words that open or close a compound command where a command may begin. */
const opening = new Set(['if', 'for', 'while', 'until', 'case', 'select', '{']);
const closing = new Set(['fi', 'done', 'esac', '}']);
const between = new Set(['then', 'else', 'elif', 'do', '!', 'time']);
const declaring = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);

/** Reads a script in one pass. It never fails: what makes no sense becomes words like any others. */
export function parseShell(text: string): ShellScript {
  const reader = new ShellReader(text);
  const commands: ShellCommand[] = [];
  const assignments: ShellAssignment[] = [];
  let depth = 0;
  let words: ShellWord[] = [];
  let environment: ShellAssignment[] = [];
  /** Inside `case … in`, patterns and `)` stand where commands would. */
  const end = (): void => {
    const [first] = words;
    const last = words.at(-1);
    if (first !== undefined && last !== undefined)
      commands.push({ words, environment, start: first.start, end: last.end });
    words = [];
    environment = [];
  };
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.kind === 'separator') {
      const read = filledVariable(words, reader);
      if (read !== undefined) assignments.push({ ...read, conditional: depth > 0 });
      end();
      continue;
    }
    if (token.kind === 'assignment') {
      const isPrefix = words.every((word) => declaring.has(plainText(word) ?? '') || isOption(word));
      // `program NAME=value` is an argument, not an assignment.
      const assignment: ShellAssignment = { ...token.assignment, conditional: depth > 0 };
      if (isPrefix) assignments.push(assignment);
      else words.push(token.word);
      if (words.length === 0) environment.push(assignment);
      continue;
    }
    const { word } = token;
    const name = words.length === 0 ? plainText(word) : undefined;
    if (name !== undefined && opening.has(name)) depth++;
    else if (name !== undefined && closing.has(name)) depth = Math.max(0, depth - 1);
    else if (name === undefined || !between.has(name)) words.push(word);
    if (name !== undefined && (opening.has(name) || closing.has(name) || between.has(name))) end();
  }
  end();
  return { commands, assignments, comments: reader.comments };
}

/** `read -r -d '' NAME <<END` fills a variable with what follows. */
function filledVariable(
  words: readonly ShellWord[],
  reader: ShellReader,
): Omit<ShellAssignment, 'conditional'> | undefined {
  const [first] = words;
  const last = words.at(-1);
  const name = last && plainText(last);
  if (first === undefined || plainText(first) !== 'read' || name === undefined) return undefined;
  const body = reader.takeHereDocument();
  if (body.length === 0) return undefined;
  return { name, append: false, words: body, isArray: true, start: first.start, end: body.at(-1)?.end ?? first.end };
}

const isOption = (word: ShellWord): boolean => plainText(word)?.startsWith('-') === true;

/** The text of a word without expansions. */
export const plainText = ({ parts }: ShellWord): string | undefined =>
  parts.every((part) => part.kind === 'text') ? parts.map((part) => part.text).join('') : undefined;
