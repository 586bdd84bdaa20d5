import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Span } from '../text/span.ts';
import { type ParsedConfig, withLines } from './parsedConfig.ts';
import { type ConfigEntry, type ConfigNode, deepestConfig, mostConfigNodes } from './tree.ts';

/**
 * TOML. The parser stops at the first mistake, so a line it cannot read is blanked out and it starts again; after a few
 * such lines the file is left alone.
 */
export function parseToml(text: string): ParsedConfig {
  const unreliable: Span[] = [];
  let readable = text;
  for (let attempt = 0; attempt <= mostUnreadableLines; attempt++) {
    try {
      const program = parseTOML(readable, { tomlVersion: '1.0' });
      const comments = () =>
        program.comments.map(({ range: [start, end], value }) => ({ start, end, text: `#${value}` }));
      return { root: rootOf(program, text.length), unreliable, comments };
    } catch (error) {
      const offset = offsetOf(error, readable);
      const [line] = offset === undefined ? [] : withLines(readable, [{ start: offset, end: offset }]);
      if (line === undefined || readable.slice(line.start, line.end).trim() === '') break;
      unreliable.push(line);
      readable = readable.slice(0, line.start) + ' '.repeat(line.end - line.start) + readable.slice(line.end);
    }
  }
  return { root: undefined, unreliable: [{ start: 0, end: text.length }], comments: () => [] };
}

const mostUnreadableLines = 8;

/** The parser's own error carries `index`, a UTF-16 offset. A value that never comes is noticed on the next line. */
function offsetOf(error: unknown, text: string): number | undefined {
  const index = error instanceof Error && 'index' in error ? error.index : undefined;
  if (typeof index !== 'number') return undefined;
  const before = text.slice(Math.max(0, index - longestLookBack), index).trimEnd();
  const isUnfinished = index >= text.length || (text[index - 1] === '\n' && /[=.,[{]$/.test(before));
  return isUnfinished ? text.slice(0, index).trimEnd().length - 1 : index;
}

const longestLookBack = 200;

/** A mapping while it is being filled: a later header may add to it. */
interface Draft extends Span {
  readonly kind: 'draft';
  readonly entries: Map<string, DraftEntry>;
  readonly layout: 'block' | 'braces';
}

interface DraftEntry extends Span {
  readonly keyAt: Span;
  value: Draft | Draft[] | ConfigNode;
}

function rootOf(program: AST.TOMLProgram, length: number): ConfigNode {
  let nodes = 0;
  const root: Draft = { kind: 'draft', entries: new Map(), layout: 'block', start: 0, end: length };
  for (const item of program.body[0].body) {
    if (item.type === 'TOMLKeyValue') add(root, item, 0);
    else table(item);
  }
  return finish(root, 0);

  function table(node: AST.TOMLTable): void {
    const at = spanOf(node);
    const keys = node.key.keys;
    let owner = root;
    for (const [index, key] of keys.entries()) {
      const isLast = index === keys.length - 1;
      owner = enter(owner, key, at, isLast && node.kind === 'array');
    }
    for (const item of node.body) add(owner, item, keys.length);
  }

  /** The mapping under a key, made where there is none yet. */
  function enter(owner: Draft, key: AST.TOMLBare | AST.TOMLQuoted, at: Span, newItem: boolean): Draft {
    const name = nameOf(key);
    const known = owner.entries.get(name)?.value;
    const fresh: Draft = { kind: 'draft', entries: new Map(), layout: 'block', ...at };
    if (Array.isArray(known)) {
      if (newItem) known.push(fresh);
      return newItem ? fresh : (known.at(-1) ?? fresh);
    }
    if (known?.kind === 'draft') return known;
    owner.entries.set(name, { keyAt: spanOf(key), value: newItem ? [fresh] : fresh, ...at });
    return fresh;
  }

  function add(owner: Draft, { key, value, range: [start, end] }: AST.TOMLKeyValue, depth: number): void {
    if (++nodes > mostConfigNodes) return;
    const keys = key.keys;
    let inner = owner;
    for (const part of keys.slice(0, -1)) inner = enter(inner, part, { start, end }, false);
    const last = keys.at(-1);
    if (last === undefined) return;
    inner.entries.set(nameOf(last), { keyAt: spanOf(last), value: convert(value, depth + keys.length), start, end });
  }

  function convert(node: AST.TOMLContentNode, depth: number): Draft | ConfigNode {
    const at = spanOf(node);
    if (++nodes > mostConfigNodes || depth > deepestConfig) return { kind: 'unknown', ...at };
    if (node.type === 'TOMLInlineTable') {
      const draft: Draft = { kind: 'draft', entries: new Map(), layout: 'braces', ...at };
      for (const item of node.body) add(draft, item, depth + 1);
      return draft;
    }
    if (node.type === 'TOMLArray') {
      const items = node.elements.map((element) => finish(convert(element, depth + 1), depth + 1));
      return { kind: 'sequence', items, ...at };
    }
    if (node.kind === 'string') return { kind: 'scalar', value: node.value, written: 'quoted', ...at };
    if (node.kind === 'integer' || node.kind === 'float' || node.kind === 'boolean') {
      return { kind: 'scalar', value: node.value, written: 'plain', ...at };
    }
    return { kind: 'unknown', ...at };
  }
}

function finish(value: Draft | Draft[] | ConfigNode, depth: number): ConfigNode {
  if (Array.isArray(value)) {
    const items = value.map((item) => finish(item, depth + 1));
    return { kind: 'sequence', items, start: items[0]?.start ?? 0, end: items.at(-1)?.end ?? 0 };
  }
  if (value.kind !== 'draft') return value;
  const { start, end, layout } = value;
  if (depth > deepestConfig) return { kind: 'unknown', start, end };
  const entries = Array.from(
    value.entries,
    ([key, entry]): ConfigEntry => ({
      key,
      keyAt: entry.keyAt,
      value: finish(entry.value, depth + 1),
      shared: false,
      start: entry.start,
      end: entry.end,
    }),
  );
  return { kind: 'mapping', entries, complete: true, layout, start, end };
}

const nameOf = (key: AST.TOMLBare | AST.TOMLQuoted): string => (key.type === 'TOMLBare' ? key.name : key.value);

const spanOf = ({ range: [start, end] }: { readonly range: readonly [number, number] }): Span => ({ start, end });
