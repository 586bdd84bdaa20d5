import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf } from './cache/hash.ts';

/** The running bundle, from which a thread starts too. */
export const bundleFile: string = fileURLToPath(import.meta.url);

/** The folder of the bundle; the .wasm files lie in it. */
export const bundleFolder: string = path.dirname(bundleFile);

/** Tells one build of the program from another, whatever version it says it is. */
export const bundleHash = (): string => hashOf(readFileSync(bundleFile));

/** From the manifest of the package, which is what npm and VS Code go by. */
export function installedVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(bundleFolder, '..', 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
