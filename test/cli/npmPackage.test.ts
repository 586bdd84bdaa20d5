import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connectProcess } from '../support/lspClient.ts';
import { explicit, folderWith, implicit } from './support/folder.ts';

test('what npm packs is the command line, and runs from where npm installs it', async (context) => {
  const folder = folderWith(context, { 'train.py': implicit, 'fixed.py': explicit });
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path]));
  assert.deepEqual(packed.files.map(({ path }: { path: string }) => path).sort(), [
    'LICENSE',
    'README.md',
    'dist/THIRD-PARTY-NOTICES.txt',
    'dist/cli.js',
    'dist/tree-sitter-python.wasm',
    'dist/web-tree-sitter.wasm',
    'package.json',
  ]);

  const prefix = folder.at('global');
  npm(['install', '--global', '--prefix', prefix, '--offline', '--ignore-scripts', folder.at(packed.filename)]);
  const command = folder.at('global/bin/checkpoint-lens');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.equal(run(command, ['--version']).stdout.trim(), version);
  const { status, stdout } = run(command, ['check', 'train.py', 'fixed.py']);
  assert.equal(status, 1);
  assert.match(stdout, /train\.py:2:5.*AC101/);
  assert.doesNotMatch(stdout, /fixed\.py/);

  const client = await connectProcess([command, 'lsp', '--stdio'], { pullsSettings: false });
  try {
    const file = await client.open('train.py', implicit);
    assert.equal((await file.diagnostics())[0]?.code, 'AC101');
    await client.close();
  } finally {
    client.process.kill();
  }

  function run(program: string, args: readonly string[]) {
    return spawnSync(program, args, { cwd: folder.path, encoding: 'utf8' });
  }
});

/** Its standard output. npm's settings of an outer `npm test` are about another folder. */
function npm(args: readonly string[]): string {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name)),
  );
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--no-audit', '--no-fund'], { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}
