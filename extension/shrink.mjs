import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { minify } from 'terser';

/**
 * Makes bundles smaller than esbuild leaves them, by three in a hundred: it drops more of what the libraries in them have and
 * nobody uses. It takes ten times as long, so only what is packed goes through it.
 */
export async function shrink(root, names) {
  for (const name of names) {
    const file = path.join(root, 'dist', name);
    const { code } = await minify(readFileSync(file, 'utf8'), {
      ecma: 2020,
      module: name === 'panel.js',
      // Nobody outside a bundle sees what stands at its top.
      toplevel: true,
      compress: { passes: 2 },
      format: { comments: false },
    });
    writeFileSync(file, code);
  }
}
