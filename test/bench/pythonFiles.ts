import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isRelevant } from '../../server/core/lint/relevant.ts';

/** The largest Python files below a folder in which the server looks for something, by name in it, largest first. */
export function largestRelevant(folder: string, count: number): readonly string[] {
  const files = pythonFiles(folder)
    .map((name) => ({ name, bytes: statSync(path.join(folder, name)).size }))
    .sort((a, b) => b.bytes - a.bytes);
  const found: string[] = [];
  for (const { name } of files) {
    if (found.length === count) break;
    if (isRelevant(readFileSync(path.join(folder, name), 'utf8'))) found.push(name);
  }
  return found;
}

/** Links are not followed: they may lead in a circle. */
function pythonFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}
