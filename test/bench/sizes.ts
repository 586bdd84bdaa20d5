import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Figure } from './figures.ts';

/** What is shipped. The package itself is held to its size where it is made. */
export function measure(): readonly Figure[] {
  let together = 0;
  for (const name of readdirSync('dist').sort()) {
    const bytes = readFileSync(`dist/${name}`);
    const compressed = gzipSync(bytes).length;
    together += name === 'cli.js' ? 0 : compressed;
    console.log(`  ${name.padEnd(26)}${kilobytes(bytes.length)} KB${kilobytes(compressed)} KB compressed`);
  }
  const shipped = together / 1000;
  return [{ what: 'bundles of the extension, compressed', value: shipped, unit: 'KB', atMost: 900 }];
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0).padStart(7);
