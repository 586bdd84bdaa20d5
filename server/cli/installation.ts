import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the running bundle; the .wasm files lie in it. */
export const bundleFolder: string = path.dirname(fileURLToPath(import.meta.url));

/** From the manifest of the package, which is what npm and VS Code go by. */
export function installedVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(bundleFolder, '..', 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
