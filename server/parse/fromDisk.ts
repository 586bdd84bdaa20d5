import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadPythonParser, type PythonParser } from './parser.ts';

/**
 * Loads the parser from the two .wasm files the build puts beside each bundle.
 * @throws with the missing file's path when the installation is incomplete
 */
export async function parserBeside(folder: string): Promise<PythonParser> {
  const runtime = await readFile(path.join(folder, 'web-tree-sitter.wasm'));
  const grammar = await readFile(path.join(folder, 'tree-sitter-python.wasm'));
  return loadPythonParser(runtime, grammar);
}
