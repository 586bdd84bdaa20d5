import { Language, Parser } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import { withLineFeeds } from './lineFeeds.ts';
import { moduleOfTree } from './moduleOfTree.ts';
import { type TrackedParse, trackedParse } from './trackedParse.ts';

export type ParsePython = (text: string) => Module;

export interface PythonParser {
  /** A text on its own. */
  readonly parse: ParsePython;
  /** A document that will change; to be disposed of when it is closed. */
  track(): TrackedParse;
}

/**
 * Makes the parser from the bytes of web-tree-sitter's runtime and of the grammar, so that the caller decides where bytes
 * come from (a file in Node, a fetch in a browser).
 * @throws when the bytes are not what they should be; a source text never makes the parser throw.
 */
export async function loadPythonParser(runtime: Uint8Array, grammar: Uint8Array): Promise<PythonParser> {
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return {
    parse(text) {
      const tree = parser.parse(withLineFeeds(text));
      if (tree === null) return { text, body: [], comments: [], unreliable: [{ start: 0, end: text.length }] };
      try {
        return moduleOfTree(tree, text, () => undefined).module;
      } finally {
        tree.delete();
      }
    },
    track: () => trackedParse(parser),
  };
}
