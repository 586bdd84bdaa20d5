// Bundles everything with esbuild from one table of entries.
//   node extension/build.mjs            all product bundles, minified
//   node extension/build.mjs --watch    the same, again on every change
//   node extension/build.mjs --tests    the test bundles as well
//   node extension/build.mjs --gen      writes what is generated from the sources (rule registry, tables, manifest)
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { thirdPartyNotices } from './thirdPartyNotices.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => path.join(root, ...parts);

const shared = {
  absWorkingDir: root,
  bundle: true,
  logLevel: 'warning',
  target: 'es2023',
  legalComments: 'none',
  loader: { '.md': 'text' },
};

// web-tree-sitter reads import.meta.url, which a CommonJS bundle lacks: without these two lines it fails at start-up.
// Of jsonc-parser's two builds only the module one can be bundled; the other one requires its parts by computed names.
const commonJs = {
  ...shared,
  format: 'cjs',
  platform: 'node',
  mainFields: ['module', 'main'],
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
};

// Extension and server run in Node and in a web worker. They are nearly all of the package, so it has one bundle of each for
// both, and what only one of them has is loaded where it can run. Packages resolve as for a browser, but for what speaks with
// Node.
const nodeOrWorker = {
  ...commonJs,
  platform: 'browser',
  conditions: ['browser'],
  external: ['vscode', 'node:*', ...builtinModules],
  alias: Object.fromEntries(
    ['vscode-languageclient', 'vscode-languageserver', 'vscode-languageserver-protocol', 'vscode-jsonrpc'].map(
      (name) => [`${name}/node`, inRoot('node_modules', name, 'lib/node/main.js')],
    ),
  ),
  banner: {
    js: "const importMetaUrl = typeof __filename === 'string' ? require('node:url').pathToFileURL(__filename).href : 'file:///';",
  },
};

const product = [
  { ...nodeOrWorker, entryPoints: { extension: 'extension/browser/nodeOrWorker.ts' }, outdir: 'dist', minify: true },
  { ...nodeOrWorker, entryPoints: { server: 'server/lsp/browser/nodeOrWorker.ts' }, outdir: 'dist', minify: true },
  {
    ...commonJs,
    entryPoints: { cli: 'server/cli/main.ts' },
    outdir: 'dist',
    minify: true,
    banner: { js: `#!/usr/bin/env node\n${commonJs.banner.js}` },
  },
  {
    ...shared,
    entryPoints: { panel: 'webview/main.ts' },
    outdir: 'dist',
    format: 'esm',
    platform: 'browser',
    minify: true,
  },
];

/** All tests of one folder become one bundle, so `node --test` starts one process for it. */
function testBundle(folder) {
  return {
    ...shared,
    ...allTestsIn(folder),
    outfile: `out/test/${folder}.mjs`,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    sourcemap: 'inline',
  };
}

/** Tests that run inside VS Code's extension host, which loads CommonJS: what starts mocha, and the tests. */
function hostTestBundles() {
  const inHost = { ...shared, format: 'cjs', platform: 'node', external: ['vscode', 'mocha'], sourcemap: 'inline' };
  return [
    { ...inHost, entryPoints: ['test/e2e/host/runMocha.ts'], outfile: 'out/test/e2e/runMocha.cjs' },
    { ...inHost, ...allTestsIn('e2e/host'), outfile: 'out/test/e2e/hostTests.cjs' },
  ];
}

/** The same tests for an extension host in a web worker, with those that are about it, and the file system they work on. */
function webTestBundles() {
  const inWorker = { ...shared, format: 'cjs', platform: 'browser', external: ['vscode'], sourcemap: 'inline' };
  const tests = ['e2e/host', 'web'].flatMap((folder) => testFiles(folder).map((name) => `../${folder}/${name}`));
  const imports = tests.map((file) => `await import('${file}');`).join('\n');
  const contents = `import { runTests } from './runMocha.ts';
    export const run = () => runTests(async () => { ${imports} });`;
  return [
    {
      ...inWorker,
      stdin: { contents, resolveDir: inRoot('test/web'), loader: 'ts' },
      outfile: 'out/test/web/runMocha.js',
      alias: { 'node:assert/strict': inRoot('test/web/assert.ts') },
    },
    {
      ...inWorker,
      entryPoints: ['test/web/fileSystem/fileSystem.ts'],
      outfile: 'out/test/web/fileSystem/fileSystem.js',
    },
  ];
}

function allTestsIn(folder) {
  const contents = testFiles(folder).map((name) => `import './${name}';`);
  return { stdin: { contents: contents.join('\n'), resolveDir: inRoot('test', folder), loader: 'ts' } };
}

const testFiles = (folder) =>
  readdirSync(inRoot('test', folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort();

function copyAssets() {
  mkdirSync(inRoot('dist'), { recursive: true });
  cpSync(inRoot('node_modules/web-tree-sitter/web-tree-sitter.wasm'), inRoot('dist/web-tree-sitter.wasm'));
  cpSync(inRoot('grammars/tree-sitter-python.wasm'), inRoot('dist/tree-sitter-python.wasm'));
}

export async function build({ tests = false, watch = false } = {}) {
  if (!watch) rmSync(inRoot('dist'), { recursive: true, force: true });
  if (tests) rmSync(inRoot('out/test'), { recursive: true, force: true });
  copyAssets();
  if (tests) cpSync(inRoot('test/web/fileSystem/package.json'), inRoot('out/test/web/fileSystem/package.json'));
  const entries = tests
    ? [...product, ...testFolders().map(testBundle), ...hostTestBundles(), ...webTestBundles()]
    : product;
  if (watch) {
    for (const entry of entries) {
      const watched = await esbuild.context({ ...entry, minify: false, sourcemap: true, logLevel: 'info' });
      await watched.watch();
    }
    return;
  }
  const results = await Promise.all(
    entries.map((entry) => esbuild.build({ ...entry, metafile: product.includes(entry) })),
  );
  writeFileSync(
    inRoot('dist/THIRD-PARTY-NOTICES.txt'),
    thirdPartyNotices(
      root,
      results.flatMap(({ metafile }) => metafile ?? []),
    ),
  );
}

const testFolders = () => ['unit', 'lsp', 'cli', 'webview', 'e2e/ui'].filter((folder) => testFiles(folder).length > 0);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const has = (flag) => process.argv.includes(flag);
  if (has('--gen')) await (await import('./generate.mjs')).generate();
  else await build({ tests: has('--tests'), watch: has('--watch') });
}
