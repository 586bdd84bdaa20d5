import { Language, Parser } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import { sectionsOf } from '../core/python/sections.ts';
import type { Span } from '../core/text/span.ts';
import { withLineFeeds } from './lineFeeds.ts';
import { moduleOf, readSection } from './moduleOfSections.ts';
import { parsedText, pieceOfTree, type Stretch } from './moduleOfTree.ts';
import { type TrackedParse, trackedParse } from './trackedParse.ts';

/** Of a long text one of its sections, where no more is wanted. */
export type ParsePython = (text: string, section?: Span) => Module;

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
    parse(text, section) {
      const source = withLineFeeds(text);
      const read = (stretch: Stretch) => {
        const tree = parser.parse(parsedText(source, stretch).text);
        try {
          return pieceOfTree(tree, source, stretch, () => undefined);
        } finally {
          tree?.delete();
        }
      };
      const sections = (section === undefined ? sectionsOf(source) : [section]).map((place) =>
        readSection(place, source, read),
      );
      return moduleOf(text, sections);
    },
    track: () => trackedParse(parser),
  };
}
