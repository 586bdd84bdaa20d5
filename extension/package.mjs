// Builds, packs out/checkpoint-lens.vsix and refuses a package that is too big or carries a stray file.
//   node extension/package.mjs [--built]      --built packs what is there
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const maximumBytes = 900_000;
const allowed = [
  /^(package\.json|readme\.md|changelog\.md|license(\.txt|\.md)?)$/i,
  /^dist\/(extension|server|panel)\.js$/,
  /^dist\/[\w.-]+\.wasm$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/,
  /^extension\/[\w-]+\.(png|svg)$/,
  /^extension\/walkthrough\/[\w-]+\.webp$/,
  /^package\.nls(\.[\w-]+)?\.json$/,
  /^l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^grammars\/grammars\.json$/,
];
/** Without one of these the extension installs and then fails. */
const required = [
  'package.json',
  'dist/extension.js',
  'dist/server.js',
  'dist/panel.js',
  'dist/web-tree-sitter.wasm',
  'dist/tree-sitter-python.wasm',
  'dist/THIRD-PARTY-NOTICES.txt',
];

/** Whether a file, named from the project's folder on with `/`, is one of the package. */
export const isPackaged = (file) => allowed.some((pattern) => pattern.test(file));

/** Packs the extension and gives the path of the .vsix. Run `build` before. */
export async function packageExtension(root) {
  const { createVSIX, listFiles } = await import('@vscode/vsce');
  const files = (await listFiles({ cwd: root, packageManager: 2 })).map((file) => file.replaceAll('\\', '/'));
  const stray = files.filter((file) => !isPackaged(file));
  if (stray.length > 0) throw new Error(`Not meant for the package: ${stray.join(', ')}`);
  const missing = required.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`Missing from the package: ${missing.join(', ')}`);
  const packagePath = path.join(root, 'out', 'checkpoint-lens.vsix');
  mkdirSync(path.dirname(packagePath), { recursive: true });
  const { shrink } = await import('./shrink.mjs');
  await shrink(root, ['server.js', 'extension.js', 'panel.js']);
  await createVSIX({ cwd: root, packagePath, dependencies: false });
  const bytes = statSync(packagePath).size;
  if (bytes > maximumBytes)
    throw new Error(`The package has ${bytes} bytes, more than the ${maximumBytes} it may have`);
  return packagePath;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  if (!process.argv.includes('--built')) {
    await (await import('./host/dependencies.mjs')).installLocked(root);
    await (await import('./build.mjs')).build();
  }
  await packageExtension(root);
}
