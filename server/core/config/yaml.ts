import { isAlias, isMap, isScalar, isSeq, Lexer, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { Comment } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import { type ParsedConfig, withLines } from './parsedConfig.ts';
import { type ConfigEntry, type ConfigMapping, type ConfigNode, deepestConfig, mostConfigNodes } from './tree.ts';
import { plainYamlScalar } from './yamlScalar.ts';

/** The first document of a YAML text. Half-written lines are marked, the rest is kept. */
export function parseYaml(text: string): ParsedConfig {
  const document = parseDocument(text, {
    // Everything stays text as written: what it means to a Python trainer is decided here.
    schema: 'failsafe',
    // The library compares each key with all others, which takes minutes for a file of generated keys.
    uniqueKeys: false,
    strict: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const spans = document.errors.map(({ pos: [start, end] }) => ({ start, end }));
  return {
    root: document.contents === null ? undefined : rootOf(document.contents as Node, text),
    unreliable: withLines(text, spans),
    comments: () => commentsIn(text),
  };
}

function rootOf(contents: Node, text: string): ConfigNode {
  /** Parts by their anchor, as far as they are finished: an alias inside its own anchor finds nothing. */
  const anchors = new Map<string, ConfigNode>();
  let nodes = 0;
  return convert(contents, 0);

  function convert(node: Node, depth: number): ConfigNode {
    const at = spanOf(node, text);
    if (++nodes > mostConfigNodes || depth > deepestConfig) return { kind: 'unknown', ...at };
    if (isAlias(node)) return anchors.get(node.source) ?? { kind: 'unknown', ...at };
    const converted = convertOwn(node, at, depth);
    const anchor = 'anchor' in node ? node.anchor : undefined;
    if (typeof anchor === 'string') anchors.set(anchor, converted);
    return converted;
  }

  function convertOwn(node: Node, at: Span, depth: number): ConfigNode {
    if (isMap(node)) return mapping(node, at, depth);
    if (isSeq(node))
      return { kind: 'sequence', items: node.items.map((item) => convert(item as Node, depth + 1)), ...at };
    if (!isScalar(node)) return { kind: 'unknown', ...at };
    const written = node.type === 'PLAIN' ? 'plain' : node.type?.startsWith('QUOTE') === true ? 'quoted' : 'block';
    const source = typeof node.value === 'string' ? node.value : '';
    if (source.includes('${')) return { kind: 'unknown', ...at };
    const value = written === 'plain' && node.tag === undefined ? plainYamlScalar(source) : source;
    return { kind: 'scalar', value, written, ...at };
  }

  function mapping(map: YAMLMap, at: Span, depth: number): ConfigMapping {
    const own: ConfigEntry[] = [];
    const merged: ConfigEntry[] = [];
    let complete = true;
    for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
      if (!isScalar(key) || typeof key.value !== 'string') {
        complete = false;
        continue;
      }
      const keyAt = spanOf(key, text);
      const converted: ConfigNode =
        value === null || value === undefined
          ? { kind: 'scalar', value: null, written: 'plain', start: keyAt.end, end: keyAt.end }
          : convert(value, depth + 1);
      if (key.value === '<<' && key.type === 'PLAIN') {
        const sources = converted.kind === 'sequence' ? converted.items : [converted];
        for (const source of sources) {
          if (source.kind !== 'mapping' || !source.complete) complete = false;
          if (source.kind !== 'mapping' || nodes > mostConfigNodes) continue;
          nodes += source.entries.length;
          // Of several merged mappings the first one counts, and what the mapping itself says counts most.
          merged.unshift(...source.entries.map((entry) => ({ ...entry, shared: true })));
        }
        continue;
      }
      const shared = value !== null && value !== undefined && isAlias(value);
      const end = shared ? spanOf(value, text).end : Math.max(keyAt.end, converted.end);
      own.push({ key: key.value, keyAt, value: converted, shared, start: keyAt.start, end });
    }
    return { kind: 'mapping', entries: [...merged, ...own], complete, layout: map.flow ? 'braces' : 'block', ...at };
  }
}

/** The library's second offset is where the value ends; for a block mapping it may reach over trailing blank lines. */
function spanOf(node: Node, text: string): Span {
  const [start, end] = node.range ?? [0, 0];
  let last = end;
  while (last > start && /\s/.test(text[last - 1] ?? '')) last--;
  return { start, end: last };
}

/** The lexer's own marks, which stand for no text of the file. */
const marks = new Set(['\u0002', '\u0018', '\u001f']);

function commentsIn(text: string): Comment[] {
  const comments: Comment[] = [];
  let offset = 0;
  let scalarFollows = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (marks.has(lexeme)) {
      scalarFollows = lexeme === '\u001f';
      continue;
    }
    if (lexeme.startsWith('#') && !scalarFollows) {
      comments.push({ start: offset, end: offset + lexeme.length, text: lexeme });
    }
    offset += lexeme.length;
    scalarFollows = false;
  }
  return comments;
}
