import { Language, Parser } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import { lowerModule } from './lowerStatements.ts';
import { copySyntax } from './syntax.ts';

export type ParsePython = (text: string) => Module;

/**
 * Makes the parser from the bytes of web-tree-sitter's runtime and of the grammar, so that the caller decides where bytes
 * come from (a file in Node, a fetch in a browser).
 * @throws when the bytes are not what they should be; a source text never makes the returned function throw.
 */
export async function loadPythonParser(runtime: Uint8Array, grammar: Uint8Array): Promise<ParsePython> {
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (text) => {
    const tree = parser.parse(text);
    if (tree === null) return { text, body: [], comments: [], unreliable: [{ start: 0, end: text.length }] };
    try {
      return lowerModule(copySyntax(tree), text);
    } finally {
      tree.delete();
    }
  };
}
