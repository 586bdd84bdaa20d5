import { endOfLine, endOfStatement } from './logicalLines.ts';

/**
 * The Python of a cell: what only IPython understands (`%magic`, `!shell`, `help?`, `%%cell`) is replaced by Python of the
 * same length that does nothing, so that every offset of the cell stays what it was. A cell in another language, such as
 * `%%bash`, becomes blank. Line breaks stay.
 */
export function maskMagics(cell: string): string {
  const cellMagic = /^\s*(?<line>%%(?<name>\S*)[^\r\n]*)/.exec(cell);
  if (cellMagic === null) return maskLines(cell, 0);
  const { line = '', name = '' } = cellMagic.groups ?? {};
  if (!runsPython.has(name)) return blank(cell);
  // A comment, no statement: an import that a fix puts in front of the first statement must stay behind the magic.
  const end = cellMagic[0].length;
  return cell.slice(0, end - line.length) + '#'.padEnd(line.length) + maskLines(cell, end);
}

/** Spaces for everything but line breaks. */
export const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/** Cell magics whose cell is Python and shares the notebook's names. */
const runsPython: ReadonlySet<string> = new Set([
  'capture',
  'debug',
  'ipytest',
  'memit',
  'prun',
  'pyinstrument',
  'scalene',
  'snakeviz',
  'time',
  'timeit',
  'wandb',
]);

function maskLines(cell: string, from: number): string {
  const pieces: string[] = [];
  for (let at = from; at < cell.length; ) {
    // A command goes on only behind a backslash; a Python statement also inside brackets and long strings.
    const end = endOfCommand(cell, at);
    const command = cell.slice(at, end);
    const masked = maskedCommand(command);
    const next = masked === undefined ? endOfStatement(cell, at) : end;
    pieces.push(masked ?? cell.slice(at, next));
    at = next;
  }
  return pieces.join('');
}

function endOfCommand(text: string, at: number): number {
  let end = endOfLine(text, at);
  while (end < text.length && /\\\r?\n?$/.test(text.slice(at, end))) end = endOfLine(text, end);
  return end;
}

/** What a line begins with that Python has no statement for; some of them IPython also takes without their `%`. */
const command = /^[%!?]|^(?:cd|conda|ls|mamba|pip|uv)[ \t]+[^\s=.,([]/;
const help = /^%{0,2}[A-Za-z_*][\w.*[\]]*\?\??\s*$/;
const assigned = /^(?<target>[A-Za-z_][\w.,[\] \t]*=[ \t]*)[%!]/;
/** `%time statement`; a compound statement cannot follow the `;` that stands for the magic. */
const timed = /^%time[ \t]+(?=[^\s-])(?!(?:async|class|def|for|if|match|try|while|with)\b)(?=[^\r\n]*[\r\n]*$)/;

/** The text of the same length that stands for a command; undefined where the line is Python. */
function maskedCommand(text: string): string | undefined {
  const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
  const rest = text.slice(indent.length);
  const time = timed.exec(rest)?.[0];
  if (time !== undefined) return `${indent}${'0;'.padEnd(time.length)}${rest.slice(time.length)}`;
  if (command.test(rest) || help.test(rest)) return indent + instead(rest, ['pass', '0']);
  const target = assigned.exec(rest)?.groups?.target;
  return target === undefined ? undefined : indent + target + instead(rest.slice(target.length), ['_']);
}

/** The first of some texts that fits on the first line, and nothing but spaces behind it. */
function instead(text: string, texts: readonly string[]): string {
  const length = /^[^\r\n]*/.exec(text)?.[0].length ?? 0;
  const fitting = texts.find((one) => one.length <= length) ?? '';
  return fitting + blank(text.slice(fitting.length));
}
