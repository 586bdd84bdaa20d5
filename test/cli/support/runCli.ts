import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command as a person would, from the folder `cwd`. */
export function runCli(
  args: readonly string[],
  { cwd = '.', input = '', cache = '' }: { cwd?: string; input?: string | Uint8Array; cache?: string } = {},
): CliRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    input,
    // Without a folder for its cache each run looks anew, and none leaves anything in the home of whoever runs the tests.
    env: { ...process.env, XDG_CACHE_HOME: cache === '' ? '/dev/null' : cache },
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 120_000,
  });
  return { code: status, stdout, stderr };
}

/** The product where it is built; else this sources' own, so that these tests also run alone. Tests run from the root. */
export const cli: string = path.resolve(existsSync('dist/cli.js') ? 'dist/cli.js' : await buildAlone());

async function buildAlone(): Promise<string> {
  const esbuild = await import('esbuild');
  const folder = 'out/cliAlone/dist';
  mkdirSync(folder, { recursive: true });
  cpSync('node_modules/web-tree-sitter/web-tree-sitter.wasm', `${folder}/web-tree-sitter.wasm`);
  cpSync('grammars/tree-sitter-python.wasm', `${folder}/tree-sitter-python.wasm`);
  cpSync('package.json', `${folder}/../package.json`);
  await esbuild.build({
    entryPoints: { cli: 'server/cli/main.ts' },
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'es2023',
    loader: { '.md': 'text' },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  return `${folder}/cli.js`;
}
