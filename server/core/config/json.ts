import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Comment } from '../python/ast.ts';
import { type ParsedConfig, withLines } from './parsedConfig.ts';
import { type ConfigEntry, type ConfigMapping, type ConfigNode, deepestConfig, mostConfigNodes } from './tree.ts';

/** JSON with comments and trailing commas; half-written lines are marked, the rest is kept. */
export function parseJson(text: string): ParsedConfig {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const spans = errors.map(({ offset, length }) => ({ start: offset, end: offset + length }));
  return {
    root: root === undefined ? undefined : rootOf(root),
    unreliable: withLines(text, spans),
    comments: () => commentsIn(text),
  };
}

function rootOf(root: Node): ConfigNode {
  let nodes = 0;
  return convert(root, 0);

  function convert(node: Node, depth: number): ConfigNode {
    const at = { start: node.offset, end: node.offset + node.length };
    if (++nodes > mostConfigNodes || depth > deepestConfig) return { kind: 'unknown', ...at };
    switch (node.type) {
      case 'object':
        return mapping(node, depth);
      case 'array':
        return { kind: 'sequence', items: (node.children ?? []).map((item) => convert(item, depth + 1)), ...at };
      case 'string':
        return { kind: 'scalar', value: String(node.value), written: 'quoted', ...at };
      case 'number':
      case 'boolean':
      case 'null':
        return { kind: 'scalar', value: node.value as number | boolean | null, written: 'plain', ...at };
      case 'property':
        return { kind: 'unknown', ...at };
    }
  }

  function mapping(object: Node, depth: number): ConfigMapping {
    const entries: ConfigEntry[] = [];
    let complete = true;
    for (const property of object.children ?? []) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) {
        complete = false;
        continue;
      }
      entries.push({
        key: String(key.value),
        keyAt: { start: key.offset, end: key.offset + key.length },
        value: convert(value, depth + 1),
        shared: false,
        start: property.offset,
        end: property.offset + property.length,
      });
    }
    const at = { start: object.offset, end: object.offset + object.length };
    return { kind: 'mapping', entries, complete, layout: 'braces', ...at };
  }
}

/** The scanner's numbers for what it skips, and for the end of the text. */
const lineComment = 12;
const blockComment = 13;
const endOfFile = 17;

function commentsIn(text: string): Comment[] {
  const comments: Comment[] = [];
  const scanner = createScanner(text, false);
  for (let token: number = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (token !== lineComment && token !== blockComment) continue;
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    comments.push({ start, end, text: `#${text.slice(start + 2, end)}` });
  }
  return comments;
}
