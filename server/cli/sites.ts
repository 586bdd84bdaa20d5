import { readFileSync } from 'node:fs';
import { inCell, joinCells } from '../core/notebook/joinCells.ts';
import { readNotebook } from '../core/notebook/notebookFile.ts';
import type { Module } from '../core/python/ast.ts';
import { callIndex } from '../core/python/calls.ts';
import { plain } from '../core/report/plain.ts';
import { type CheckpointMention, checkpointMentions, mayMention } from '../core/sites/checkpointMentions.ts';
import { LineIndex } from '../core/text/lineIndex.ts';
import type { Span } from '../core/text/span.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import { absolutePath } from '../scan/absolutePath.ts';
import { isNotebook } from '../scan/checkNotebook.ts';
import { findFiles } from '../scan/findFiles.ts';
import { whyNotChecked } from '../scan/notCheckable.ts';
import { attempt, type Problem, problemLine } from '../scan/problem.ts';
import { decodeSource, isBinary } from '../scan/pythonSource.ts';
import { loadTools, type Tools } from '../scan/tools.ts';
import type { ExitCode } from './exitCode.ts';
import { choice, readFlags } from './flags.ts';
import { print, warn } from './terminal.ts';

interface Row {
  readonly path: string;
  /** Of a notebook, counted from one among all its cells. */
  readonly cell?: number;
  /** One-based, in a notebook those of the cell. */
  readonly line: number;
  readonly column: number;
  readonly kind: CheckpointMention['kind'];
  readonly what: string;
  readonly variant?: string;
}

/** `sites [PATH…]`: every place that calls, configures or switches checkpointing, for going through a code base. */
export async function sites(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readFlags(args, { format: 'text' });
  const format = choice('--format', values.format, ['text', 'json'] as const) ?? 'text';
  const found = findFiles(positionals.length === 0 ? ['.'] : positionals, 'python and notebooks');
  const problems: Problem[] = [...found.problems];
  const tools = await loadTools();
  const rows = found.files.flatMap((path): Row[] => {
    const bytes = attempt(path, problems, () => readFileSync(path));
    if (bytes === undefined) return [];
    const { text } = decodeSource(bytes);
    if (!mayMention(text) && !isBinary(bytes)) return [];
    const program = whyNotChecked(path, bytes) ?? programIn(path, text, tools);
    if (typeof program !== 'string') return rowsOf(path, program, tools);
    if (found.given.has(path)) problems.push({ path, message: program });
    else warn(problemLine({ path, message: program }));
    return [];
  });
  print(
    format === 'json'
      ? `${JSON.stringify({ version: 1, files: found.files.length, sites: rows }, null, 2)}\n`
      : asText(rows),
  );
  for (const problem of problems) warn(problemLine(problem));
  return problems.length > 0 ? 2 : 0;
}

/** A program to look at, and where a place in it is for a person. */
interface Program {
  readonly module: Module;
  place(span: Span): Pick<Row, 'cell' | 'line' | 'column'> | undefined;
}

/** A text says why the file cannot be looked at. */
function programIn(path: string, text: string, { parse }: Tools): Program | string {
  if (!isNotebook(path)) {
    const lines = new LineIndex(text);
    return { module: parse(text), place: ({ start }) => oneBased(lines, start) };
  }
  const notebook = readNotebook(text);
  if ('problem' in notebook) return notebook.problem;
  const joined = joinCells(notebook.cells, parse);
  return {
    module: joined.module,
    place(span) {
      const inside = inCell(joined, span);
      if (inside === undefined) return undefined;
      const lines = new LineIndex(notebook.cells[inside.cell]?.text ?? '');
      return { cell: inside.cell + 1, ...oneBased(lines, inside.start) };
    },
  };
}

function oneBased(lines: LineIndex, offset: number): Pick<Row, 'line' | 'column'> {
  const { line, column } = lines.positionAt(offset);
  return { line: line + 1, column: column + 1 };
}

function rowsOf(path: string, program: Program, { surroundings }: Tools): Row[] {
  const absolute = absolutePath(path);
  const workspace = surroundings.workspaceOf(absolute);
  const file = sourceFile(absolute, program.module, workspace);
  const mentions = checkpointMentions(file, callIndex(file.module, file.names), workspace);
  return mentions.flatMap(({ at, kind, what, variant }) => {
    const place = program.place(at);
    return place === undefined ? [] : [{ path, ...place, kind, what, ...(variant === undefined ? {} : { variant }) }];
  });
}

function asText(rows: readonly Row[]): string {
  const lines = rows.map(({ path, cell, line, column, kind, what, variant }) => {
    const where = `${plain(path)}:${cell === undefined ? '' : `cell ${cell}:`}${line}:${column}`;
    return `${where}: ${kind} ${what}${variant === undefined ? '' : ` (${variant})`}`;
  });
  return [...lines, `${rows.length} places`, ''].join('\n');
}
