import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigFormat, configFile } from '../../../server/core/config/configFile.ts';
import { largestConfigText } from '../../../server/core/config/relevantConfig.ts';

/** Each of these once made some parser run for minutes, eat all memory or overflow its stack. */
const head: Readonly<Record<ConfigFormat, string>> = {
  yaml: 'distributed_type: FSDP\nnum_processes: 1\ncheckpoint: x\n',
  json: '{"zero_optimization": {}, "checkpoint": 1, "x": ',
  toml: '[activation_checkpoint]\nmode = "full"\n[training]\n[model]\n[x]\n',
  shell: 'python train.py --recompute-activations\n',
};

const fill = (unit: string): string => unit.repeat(Math.floor((largestConfigText - 200) / unit.length));

const anchors = (): string => {
  const levels = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]`);
  return `a0: &a0 [x, x]\n${levels.join('\n')}\n`;
};
const merges = (): string => {
  const levels = Array.from(
    { length: 40 },
    (_, n) => `m${n + 1}: &m${n + 1}\n  <<: [${`*m${n}, `.repeat(9)}*m${n}]\n  k${n}: 1`,
  );
  return `m0: &m0 {a: 1, b: 2, c: 3}\n${levels.join('\n')}\n`;
};

const texts: readonly (readonly [ConfigFormat, string, string])[] = [
  ['yaml', 'aliases of aliases', anchors()],
  ['yaml', 'merges of merges', merges()],
  [
    'yaml',
    'many aliases',
    `b: &b {c: 1}\n${Array.from({ length: 40_000 }, (_, n) => `k${n}: *b`)
      .join('\n')
      .slice(0, 490_000)}`,
  ],
  ['yaml', 'brackets', `x: ${fill('[')}`],
  ['yaml', 'braces', `x: ${fill('{')}`],
  ['yaml', 'nested blocks', Array.from({ length: 900 }, (_, n) => `${' '.repeat(n)}k:\n`).join('')],
  ['yaml', 'dashes', `x:\n  ${fill('- ')}`],
  ['yaml', 'repeated keys', fill('key: 1\n')],
  ['yaml', 'colons', fill('a: ')],
  ['yaml', 'question marks', fill('? ')],
  ['yaml', 'errors on each line', fill('a: [\n')],
  ['yaml', 'quotes', fill('"')],
  ['yaml', 'tabs', fill('\t')],
  ['yaml', 'documents', fill('---\n')],
  ['yaml', 'anchors', fill('&a ')],
  ['yaml', 'tags', fill('!t ')],
  ['yaml', 'comments', fill('# c\n')],
  ['json', 'brackets', fill('[')],
  ['json', 'braces', fill('{"a":')],
  ['json', 'commas', fill(',')],
  ['json', 'errors', fill('tru ')],
  ['json', 'repeated keys', `{${fill('"a": 1, ')}}}`],
  ['json', 'an open string', `"${fill('a')}`],
  ['json', 'open comments', fill('/*')],
  ['toml', 'brackets', `x = ${fill('[')}`],
  ['toml', 'dots', fill('a.')],
  ['toml', 'tables', Array.from({ length: 15_000 }, (_, n) => `[t${n}.a.b]\nk = 1\n`).join('')],
  ['toml', 'errors on each line', fill('a = \n')],
  ['toml', 'inline tables', `x = ${fill('{a = ')}`],
  ['toml', 'arrays of tables', fill('[[a.b]]\n')],
  ['toml', 'an open string', `x = """${fill('a\n')}`],
  ['shell', 'dollars', fill('$')],
  ['shell', 'open substitutions', fill('$(')],
  ['shell', 'open braces', fill('${')],
  ['shell', 'backticks', fill('`a ')],
  ['shell', 'quotes', fill('"\'')],
  ['shell', 'assignments', fill('A="$A --x"\n')],
  ['shell', 'appends', fill('A+=(--x)\n')],
  ['shell', 'arrays', fill('A=( ')],
  ['shell', 'here-documents', fill('<<E ')],
  ['shell', 'commands', fill('python a.py --b $A\n')],
  ['shell', 'backslashes', fill('\\')],
];

for (const [format, what, body] of texts) {
  test(`${format}: ${what} end soon`, () => {
    const started = performance.now();
    assert.doesNotThrow(() =>
      configFile(`x.${format}`, (head[format] + body).slice(0, largestConfigText), format)?.comments(),
    );
    const milliseconds = performance.now() - started;
    assert.ok(milliseconds < 20_000, `${Math.round(milliseconds)} ms`);
  });
}

test('a text of 50 MB is not even looked into', () => {
  const started = performance.now();
  assert.equal(configFile('x.json', `{"checkpoint": "${'x'.repeat(50_000_000)}"}`, 'json'), undefined);
  assert.ok(performance.now() - started < 20_000);
});
