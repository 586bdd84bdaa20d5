import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from './hash.ts';

/** All that is kept together, in bytes; what was written longest ago goes first. */
const mostBytes = 64_000_000;

/**
 * What was written to a file of the cache; undefined where there is none, or where it is not to its last byte what was
 * written.
 */
export function readCacheFile(file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const content = text.slice(end + 1);
    return end > 0 && text.slice(0, end) === hashOf(content) ? JSON.parse(content) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces a file of the cache in one step: whoever reads it meanwhile, or writes it too, has one whole content or the other.
 * A cache that cannot be written is none; that is no failure of the command.
 */
export function writeCacheFile(file: string, content: unknown): void {
  const folder = path.dirname(file);
  // Processes of two containers that share the folder may have one number.
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify(content);
    if (text.length > mostBytes / 2) return;
    writeFileSync(beside, `${hashOf(text)}\n${text}`, { mode: 0o600 });
    renameSync(beside, file);
    makeRoom(folder, file);
  } catch {
    removeIfThere(beside);
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be removed, nothing was written.
  }
}

function makeRoom(folder: string, newest: string): void {
  const files = readdirSync(folder).flatMap((name) => {
    const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() === true ? [{ file: path.join(folder, name), stats }] : [];
  });
  let bytes = 0;
  for (const { file, stats } of files.toSorted((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)) {
    bytes += stats.size;
    // What a killed process left half written.
    const isLeft = file.endsWith('.tmp') && Date.now() - stats.mtimeMs > 60_000;
    if (file !== newest && (isLeft || bytes > mostBytes)) removeIfThere(file);
  }
}
