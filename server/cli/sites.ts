import { readFileSync } from 'node:fs';
import { callIndex } from '../core/python/calls.ts';
import { plain } from '../core/report/plain.ts';
import { type CheckpointMention, checkpointMentions, mayMention } from '../core/sites/checkpointMentions.ts';
import { LineIndex } from '../core/text/lineIndex.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import { absolutePath } from './absolutePath.ts';
import type { ExitCode } from './exitCode.ts';
import { findFiles } from './findFiles.ts';
import { choice, readFlags } from './flags.ts';
import { attempt, type Problem, problemLine } from './problem.ts';
import { decodeSource, largestSourceBytes } from './pythonSource.ts';
import { print, warn } from './terminal.ts';
import { loadTools } from './tools.ts';

interface Row {
  readonly path: string;
  /** One-based. */
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
  const { files, problems } = findFiles(positionals.length === 0 ? ['.'] : positionals);
  const found: Problem[] = [...problems];
  const { parse, surroundings } = await loadTools();
  const rows = files.flatMap((path): Row[] => {
    const bytes = attempt(path, found, () => readFileSync(path));
    if (bytes === undefined || bytes.byteLength > largestSourceBytes) return [];
    const { text } = decodeSource(bytes);
    if (!mayMention(text)) return [];
    const absolute = absolutePath(path);
    const workspace = surroundings.workspaceOf(absolute);
    const file = sourceFile(absolute, parse(text), workspace);
    const lines = new LineIndex(text);
    return checkpointMentions(file, callIndex(file.module, file.names), workspace).map(
      ({ at, kind, what, variant }) => {
        const { line, column } = lines.positionAt(at.start);
        return { path, line: line + 1, column: column + 1, kind, what, ...(variant === undefined ? {} : { variant }) };
      },
    );
  });
  print(
    format === 'json' ? `${JSON.stringify({ version: 1, files: files.length, sites: rows }, null, 2)}\n` : asText(rows),
  );
  for (const problem of found) warn(problemLine(problem));
  return found.length > 0 ? 2 : 0;
}

function asText(rows: readonly Row[]): string {
  const lines = rows.map(({ path, line, column, kind, what, variant }) => {
    return `${plain(path)}:${line}:${column}: ${kind} ${what}${variant === undefined ? '' : ` (${variant})`}`;
  });
  return [...lines, `${rows.length} places`, ''].join('\n');
}
