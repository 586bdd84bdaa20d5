import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

export interface Folder {
  readonly path: string;
  at(name: string): string;
  read(name: string): string;
  bytes(name: string): Buffer;
}

/** A temporary folder with these files; it goes when the test ends. */
export function folderWith(context: TestContext, files: Readonly<Record<string, string | Uint8Array>>): Folder {
  const root = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-'));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string): string => path.join(root, name);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  }
  return { path: root, at, bytes: (name) => readFileSync(at(name)), read: (name) => readFileSync(at(name), 'utf8') };
}

/** Code with one AC101 at 2:5. */
export const implicit = 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(block, x)\n';
/** The same after its preferred fix. */
export const explicit = implicit.replace('x)', 'x, use_reentrant=False)');
