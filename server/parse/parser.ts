import { Language, Parser } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import { sectionsOf } from '../core/python/sections.ts';
import { withLineFeeds } from './lineFeeds.ts';
import { moduleOf, pieceOfTree } from './moduleOfTree.ts';
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
      const source = withLineFeeds(text);
      const pieces = sectionsOf(source).map((place) => {
        const tree = parser.parse(source.slice(place.start, place.end));
        try {
          return pieceOfTree(tree, source, place, () => undefined);
        } finally {
          tree?.delete();
        }
      });
      return moduleOf(text, pieces);
    },
    track: () => trackedParse(parser),
  };
}
