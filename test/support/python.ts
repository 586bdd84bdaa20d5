import { readFile } from 'node:fs/promises';
import { loadPythonParser, type ParsePython, type PythonParser } from '../../server/parse/parser.ts';

const runtime = await readFile('node_modules/web-tree-sitter/web-tree-sitter.wasm');
const grammar = await readFile('grammars/tree-sitter-python.wasm');

/** The real parser, loaded once for all tests of a bundle. Tests run from the project's root. */
export const pythonParser: PythonParser = await loadPythonParser(runtime, grammar);

export const parsePython: ParsePython = pythonParser.parse;
