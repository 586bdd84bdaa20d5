import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** Which folder may import from where. The longest matching prefix of the importing file counts. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'server/core/text': ['server/core/text'],
  'server/core/python': ['server/core/python', 'server/core/text'],
  'server/core/torch': ['server/core/torch', 'server/core/python'],
  'server/core/workspace': ['server/core/workspace', 'server/core/python', 'server/core/text', 'server/core/torch'],
  'server/core/config': [
    'server/core/config',
    'server/core/python',
    'server/core/text',
    'yaml',
    'jsonc-parser',
    'toml-eslint-parser',
  ],
  'server/core/sites': [
    'server/core/sites',
    'server/core/workspace',
    'server/core/python',
    'server/core/text',
    'server/core/torch',
  ],
  'server/core/facts': [
    'server/core/facts',
    'server/core/config',
    'server/core/workspace',
    'server/core/families',
    'server/core/sites',
    'server/core/python',
    'server/core/text',
    'server/core/torch',
    'server/core/budget/account.ts',
  ],
  'server/core/graph': ['server/core/graph', 'server/core/facts/facts.ts', 'server/core/budget/account.ts'],
  'server/core/families': [
    'server/core/families',
    'server/core/graph',
    'server/core/facts/facts.ts',
    'server/core/budget/account.ts',
    'server/core/once.ts',
  ],
  'server/core/states': [
    'server/core/states',
    'server/core/families',
    'server/core/graph',
    'server/core/facts/facts.ts',
    'server/core/budget/account.ts',
  ],
  'server/core/planner': ['server/core/planner', 'server/core/budget', 'server/core/graph'],
  'server/core/total': [
    'server/core/total',
    'server/core/budget',
    'server/core/planner',
    'server/core/families',
    'server/core/graph',
    'server/core/states',
    'server/core/devices',
    'server/core/facts/facts.ts',
  ],
  'server/core/devices': ['server/core/devices', 'server/core/states/allowance.ts', 'server/core/facts/facts.ts'],
  'server/core/budget': [
    'server/core/budget',
    'server/core/families',
    'server/core/graph',
    'server/core/facts/facts.ts',
  ],
  'server/core/lint': [
    'server/core/lint',
    'server/core/sites',
    'server/core/workspace',
    'server/core/config',
    'server/core/python',
    'server/core/text',
    'server/core/torch',
  ],
  'server/core/notebook': [
    'server/core/notebook',
    'server/core/lint',
    'server/core/python',
    'server/core/text',
    'server/core/settings.ts',
    'jsonc-parser',
  ],
  'server/core/rules': [
    'server/core/rules',
    'server/core/lint',
    'server/core/sites',
    'server/core/workspace',
    'server/core/config',
    'server/core/facts',
    'server/core/families',
    'server/core/budget',
    'server/core/python',
    'server/core/text',
    'server/core/torch',
    'server/core/report/quantities.ts',
  ],
  'server/core/apply': [
    'server/core/apply',
    'server/core/rules',
    'server/core/lint',
    'server/core/sites',
    'server/core/workspace',
    'server/core/config',
    'server/core/facts/facts.ts',
    'server/core/python',
    'server/core/text',
    'server/core/torch',
    'server/core/budget/account.ts',
  ],
  'server/core/report': [
    'server/core/total',
    'server/core/report',
    'server/core/lint',
    'server/core/notebook',
    'server/core/text',
    'server/core/budget',
    'server/core/facts',
    'server/core/rules/generated',
  ],
  'server/core/settings.ts': ['server/core/lint/rule.ts', 'server/core/torch'],
  'server/parse': ['server/parse', 'server/core/python', 'server/core/text', 'web-tree-sitter'],
  'server/parse/fromDisk.ts': ['server/parse', 'node:'],
  'server/lsp': [
    'server/lsp',
    'server/core',
    'server/disk',
    'server/parse',
    'server/scan',
    'server/protocol.ts',
    'vscode-languageserver',
    'vscode-languageserver-textdocument',
    'node:',
  ],
  'server/disk': ['server/disk', 'server/core', 'server/parse', 'node:'],
  'server/scan': ['server/scan', 'server/core', 'server/disk', 'server/parse', 'ignore', 'node:'],
  'server/cli': [
    'server/cli',
    'server/core',
    'server/disk',
    'server/parse',
    'server/scan',
    'server/lsp/stdio.ts',
    'node:',
    'package.json',
  ],
  'server/protocol.ts': [
    'server/core/facts/facts.ts',
    'server/core/apply/chosen.ts',
    'server/core/devices/device.ts',
    'server/core/total/peakOfRun.ts',
  ],
  webview: ['webview', 'server/core', 'lit'],
  extension: [
    'extension',
    'server/protocol.ts',
    'server/core',
    'webview/protocol.ts',
    'vscode',
    'vscode-languageclient',
    'node:',
  ],
};

/** A rule stands alone: what two rules share lies beside the families' folders, not in another rule. */
const ruleFolder = /^server\/core\/rules\/ac\d[^/]*\//;

interface Import {
  readonly from: string;
  readonly to: string;
}

const importPattern = /(?:^|\n)(?:import\s+|(?:import|export)\s[^'"`;]*?\sfrom\s+)['"]([^'"\n]+)['"]/g;

function imports(): Import[] {
  const files = ['server', 'webview', 'extension'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name}`),
  );
  return files.flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(importPattern)].map(([, to = '']) => ({
      from,
      to: to.startsWith('.') ? path.posix.join(path.posix.dirname(from), to) : to,
    })),
  );
}

function allowed({ from, to }: Import): boolean {
  const owner = Object.keys(mayImport)
    .filter((prefix) => from === prefix || from.startsWith(`${prefix}/`))
    .sort((a, b) => b.length - a.length)[0];
  const targets = owner === undefined ? [] : (mayImport[owner] ?? []);
  return targets.some((prefix) => to === prefix || to.startsWith(prefix.endsWith(':') ? prefix : `${prefix}/`));
}

test('imports go the way the architecture says', () => {
  const wrong = imports().filter((one) => !allowed(one));
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} → ${to}`),
    [],
  );
});

test('the check sees imports at all', () => {
  assert.ok(imports().length > 100);
  assert.equal(allowed({ from: 'server/core/text/span.ts', to: 'node:fs' }), false);
  assert.equal(allowed({ from: 'webview/main.ts', to: 'server/parse/parser.ts' }), false);
});

test('no rule imports another', () => {
  const wrong = imports().filter(
    ({ from, to }) => ruleFolder.test(from) && ruleFolder.test(to) && from.slice(0, -3) !== to.slice(0, -3),
  );
  assert.deepEqual(wrong, []);
});
