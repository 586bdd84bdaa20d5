import { accessSync, chmodSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Replaces a file's content in one step: a reader, or a crash in the middle, sees the old content or the new one. Mode bits
 * stay, and a symbolic link goes on pointing at the file.
 * @throws what the file system throws; the file is then as it was
 */
export function replaceFile(file: string, content: Uint8Array): void {
  const target = realpathSync(file);
  // A rename would get past the write protection of the file itself.
  accessSync(target, constants.W_OK);
  const { mode } = statSync(target);
  const beside = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.tmp`);
  try {
    writeFileSync(beside, content, { flag: 'wx', mode: 0o600 });
    chmodSync(beside, mode & 0o7777);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
