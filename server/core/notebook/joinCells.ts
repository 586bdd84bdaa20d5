import type { Module } from '../python/ast.ts';
import { contains, type Span } from '../text/span.ts';
import { blank, maskMagics } from './magics.ts';

/** One cell of a notebook. */
export interface Cell {
  readonly text: string;
  /** A code cell in Python, as far as the notebook says; other cells take no part. */
  readonly isPython: boolean;
}

/**
 * The Python cells of a notebook as one text, because they share their names: what one cell imports, a later one calls.
 * Offsets inside a cell are kept.
 */
export interface JoinedCells {
  readonly text: string;
  readonly module: Module;
  /** The cells the notebook has, Python or not. */
  readonly cells: readonly Cell[];
  /** Where the Python cells lie in the text, in order. Between two of them is one line break. */
  readonly spans: readonly CellSpan[];
}

export interface CellSpan extends Span {
  /** Into `JoinedCells.cells`. */
  readonly cell: number;
}

/**
 * Joins cells. A half-typed cell must not take the others with it: where the parser cannot keep the trouble inside the cell
 * it comes from, cells that do not parse on their own are left blank and count as unreliable.
 */
export function joinCells(cells: readonly Cell[], parse: (text: string) => Module): JoinedCells {
  const masked = cells.map(({ text, isPython }) => (isPython ? maskMagics(text) : undefined));
  const spans = spansOf(masked);
  const text = textOf(masked);
  const module = parse(text);
  if (staysInCells(module, spans)) return { text, module, cells, spans };
  const sound = masked.map((one) => (one === undefined || standsAlone(one, parse) ? one : blank(one)));
  const soundText = textOf(sound);
  const soundModule = parse(soundText);
  const left = spans.filter(({ cell }) => sound[cell] !== masked[cell]);
  const unreliable = [...soundModule.unreliable, ...left.map(({ start, end }) => ({ start, end }))];
  return { text: soundText, module: { ...soundModule, unreliable }, cells, spans };
}

/** A span of the joined text, as a cell and a span in that cell. Undefined where it is not inside one cell. */
export function inCell({ spans }: JoinedCells, { start, end }: Span): CellSpan | undefined {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((spans[middle]?.start ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  const around = spans[low];
  if (around === undefined || start < around.start || end > around.end) return undefined;
  return { cell: around.cell, start: start - around.start, end: end - around.start };
}

/** The place in the joined text of an offset in a cell; undefined for a cell that takes no part. */
export function inJoined({ spans }: JoinedCells, cell: number, offset: number): number | undefined {
  const span = spans.find((one) => one.cell === cell);
  return span === undefined ? undefined : Math.min(span.start + offset, span.end);
}

type Masked = readonly (string | undefined)[];

const textOf = (masked: Masked): string => masked.map((one) => (one === undefined ? '' : `${one}\n`)).join('');

function spansOf(masked: Masked): CellSpan[] {
  let start = 0;
  return masked.flatMap((one, cell) => {
    if (one === undefined) return [];
    const span = { cell, start, end: start + one.length };
    start = span.end + 1;
    return [span];
  });
}

/** Whether every statement, and every stretch that does not parse, lies in one cell. */
function staysInCells(module: Module, spans: readonly CellSpan[]): boolean {
  let current = 0;
  const stays = (span: Span): boolean => {
    while (current < spans.length && (spans[current]?.end ?? 0) < span.start) current++;
    const cell = spans[current];
    // What the parser puts at the very end of the text, behind the last cell, is in nobody's way.
    return cell === undefined || contains({ start: cell.start, end: cell.end + 1 }, span);
  };
  const inOrder = (some: readonly Span[]): boolean => {
    current = 0;
    return [...some].sort((a, b) => a.start - b.start).every(stays);
  };
  return inOrder(module.body) && inOrder(module.unreliable);
}

/** A first line that is indented, or a last one that goes on, would take hold of the neighbours. */
const leansOnNeighbours = /^(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*[ \t]+[^\s#]|\\\s*$/;

const standsAlone = (text: string, parse: (text: string) => Module): boolean =>
  !leansOnNeighbours.test(text) && parse(`${text}\n`).unreliable.length === 0;
