// Writes what follows from other files: the rule registry, the README's rule and settings tables, the manifest's settings.
// A test fails when any of it is stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => path.join(root, ...parts);
const rulesFolder = inRoot('server/core/rules');

/** All files that generation owns or shares, with what they should say now. */
export async function generated() {
  const registry = registryText();
  const { allRules, settingsTable, manifestConfiguration, manifestTexts, readmeSettings } = await load(registry);
  const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  manifest.contributes.configuration = manifestConfiguration(settingsTable);
  const texts = JSON.parse(readFileSync(inRoot('package.nls.json'), 'utf8'));
  const ownTexts = Object.entries(texts).filter(([key]) => !key.startsWith('setting.'));
  const nls = { ...Object.fromEntries(ownTexts), ...manifestTexts(settingsTable) };
  const readme = readFileSync(inRoot('README.md'), 'utf8');
  return [
    { file: 'server/core/rules/generated/registry.ts', text: registry },
    { file: 'server/core/families/generated/registry.ts', text: familiesText() },
    { file: 'server/core/rules/generated/pages.ts', text: pagesText() },
    { file: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    { file: 'package.nls.json', text: `${JSON.stringify(nls, null, 2)}\n` },
    {
      file: 'README.md',
      text: between(between(readme, 'rules', ruleTable(allRules)), 'settings', readmeSettings(settingsTable)),
    },
  ];
}

export async function generate() {
  for (const { file, text } of await generated()) {
    if (readFileSync(inRoot(file), { encoding: 'utf8', flag: 'a+' }) !== text) {
      writeFileSync(inRoot(file), text);
      console.log(`wrote ${file}`);
    }
  }
}

/** @returns the files whose content is not what generation would write */
export async function stale() {
  return (await generated())
    .filter(({ file, text }) => readFileSync(inRoot(file), 'utf8') !== text)
    .map(({ file }) => file);
}

function ruleFiles() {
  return readdirSync(rulesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .flatMap((folder) =>
      readdirSync(path.join(rulesFolder, folder.name))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder.name}/${name.slice(0, -3)}`),
    )
    .sort();
}

const identifier = (file) => path.basename(file).replace(/-(.)/g, (_, letter) => letter.toUpperCase());

function registryText() {
  const files = ruleFiles();
  return [
    '// Written by `npm run gen`.',
    "import type { Rule } from '../../lint/rule.ts';",
    ...files.map((file) => `import { rule as ${identifier(file)} } from '../${file}.ts';`),
    '',
    `const rules: readonly Rule[] = [${files.map(identifier).join(', ')}];`,
    '',
    'export const allRules: readonly Rule[] = rules.toSorted((a, b) => (a.code < b.code ? -1 : 1));',
    '',
  ].join('\n');
}

/** One file in `models/` is one family of models. */
function familiesText() {
  const files = readdirSync(inRoot('server/core/families/models'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -3))
    .sort();
  return [
    '// Written by `npm run gen`.',
    "import type { Family } from '../family.ts';",
    ...files.map((file) => `import { family as ${identifier(file)} } from '../models/${file}.ts';`),
    '',
    `export const families: readonly Family[] = [${files.map(identifier).join(', ')}];`,
    '',
    'export const familyNamed = (name: string): Family | undefined => families.find((family) => family.name === name);',
    '',
  ].join('\n');
}

/** Apart from the rules, which are read by everything that lints; only what shows a page needs these. */
function pagesText() {
  const files = ruleFiles();
  return [
    '// Written by `npm run gen`.',
    ...files.map((file) => `import ${identifier(file)} from '../${file}.md';`),
    '',
    '/** Page of each rule, by the name of the rule. */',
    'export const rulePages: ReadonlyMap<string, string> = new Map([',
    ...files.map((file) => `  ['${path.basename(file)}', ${identifier(file)}],`),
    ']);',
    '',
  ].join('\n');
}

/** The tables are TypeScript, so they are bundled into a module that Node can import. */
async function load(registry) {
  const outfile = inRoot('out', 'generate.mjs');
  await esbuild.build({
    absWorkingDir: root,
    stdin: {
      contents: [
        registry
          .replaceAll("'../", "'./server/core/rules/")
          .replace('./server/core/rules/../lint', './server/core/lint'),
        "export * from './server/core/settings.ts';",
      ].join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.md': 'text' },
    logLevel: 'warning',
  });
  return import(`${pathToFileURL(outfile).href}?${Date.now()}`);
}

function ruleTable(rules) {
  const proofs = new Set(readdirSync(inRoot('test/torch/proofs')).map((name) => path.basename(name, '.py')));
  const rows = [...rules]
    .sort((a, b) => a.code.localeCompare(b.code))
    .map(({ code, name, severity, summary }) => {
      const file = ruleFiles().find((rule) => rule.endsWith(`/${name}`));
      const cells = [
        `[${code}](server/core/rules/${file}.md)`,
        name,
        severity,
        summary,
        fixOf(readFileSync(path.join(rulesFolder, `${file}.md`), 'utf8')),
        proofs.has(code) ? '✓' : '',
      ];
      return `| ${cells.join(' | ')} |`;
    });
  return ['| code | name | severity | what it finds | fix | proven |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** What the page says of the fix, as far as a table has room: `none` where the person has to decide. */
function fixOf(page) {
  const line = /^- Fix: (.*)$/m.exec(page)?.[1] ?? '';
  return line.startsWith('none') ? 'none' : line.split(';')[0].trim();
}

function between(text, name, content) {
  const start = `<!-- ${name}: generated -->`;
  const end = `<!-- /${name} -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`README.md has no "${start}" … "${end}"`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await generate();
