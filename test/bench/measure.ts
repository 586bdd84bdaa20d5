import { readdirSync, statSync } from 'node:fs';
import { modelShape, runShape } from '../../server/core/budget/account.ts';
import { estimateBudget } from '../../server/core/budget/estimate.ts';
import { detectRun } from '../../server/core/facts/detectRun.ts';
import { type LintOptions, lint } from '../../server/core/lint/engine.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { sourceFile } from '../../server/core/workspace/sourceFile.ts';
import { connectProcess } from '../support/lspClient.ts';
import { parsePython, pythonParser } from '../support/python.ts';
import { ruleCostLine, ruleCosts } from './ruleCost.ts';
import { trainingCode } from './trainingCode.ts';

const lintOptions: LintOptions = {
  rules: allRules,
  versions: {},
  severities: {},
  onCrash(rule, error) {
    throw new Error(rule.code, { cause: error });
  },
};

const text = trainingCode(2_000);
const lines = text.split('\n').length;
console.log(`file: ${lines} lines, ${(text.length / 1000).toFixed(0)} KB, Node ${process.version}\n`);

const parse = measure(30, () => parsePython(text));
report('parse and lower', parse, parse);

const tracked = pythonParser.track();
tracked.update(text);
let keys = 0;
const middle = text.indexOf('hidden_states', text.length / 2);
const withKey = (): string => `${text.slice(0, middle)}${keys++ % 2 === 0 ? 'x' : ''}${text.slice(middle)}`;
report(
  'parse and lower after one keystroke',
  measure(30, () => tracked.update(withKey())),
  parse,
);
tracked.dispose();

const module = parsePython(text);
report(
  'names, sites and all rules, of code seen before',
  measure(30, () => lint(sourceFile('train.py', module), lintOptions)),
  parse,
);
console.log(ruleCostLine(ruleCosts(text)));
const file = sourceFile('train.py', module);
report(
  'facts of the run',
  measure(30, () => detectRun(module, file.names, 'train.py')),
  parse,
);

const facts = detectRun(module, file.names, 'train.py');
if (facts?.model !== undefined) {
  const model = modelShape(facts.model);
  const run = runShape(facts.run);
  let batch = 1;
  report(
    'budget, all segment lengths',
    measure(30, () => estimateBudget(model, { ...run, batch: batch++ }, 1)),
    parse,
  );
}

await keystrokes();
sizes();

/** Edit → diagnostics through the real server process, over its pipes. */
async function keystrokes(): Promise<void> {
  const client = await connectProcess([process.execPath, 'dist/cli.js', 'lsp', '--stdio'], {
    pullsSettings: false,
    facts: true,
  });
  const opened = performance.now();
  const document = await client.open('train.py', text);
  const found = (await document.diagnostics()).length;
  console.log(
    `\nserver: first diagnostics after opening ${(performance.now() - opened).toFixed(0)} ms (${found} findings)`,
  );
  const times: number[] = [];
  for (let key = 0; key < 140; key++) {
    const started = performance.now();
    await document.type('hidden_states', key % 2 === 0 ? 'hidden_states_' : 'hidden_states');
    await document.diagnostics();
    times.push(performance.now() - started);
    // Nobody types faster than this.
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  report('edit → diagnostics, through the server', summary(times.slice(40)), parse);
  await client.close();
}

function sizes(): void {
  console.log('\nbundles');
  for (const name of readdirSync('dist'))
    console.log(`  ${name.padEnd(26)}${(statSync(`dist/${name}`).size / 1000).toFixed(0).padStart(6)} KB`);
}

interface Times {
  readonly median: number;
  readonly p95: number;
}

function measure(runs: number, work: () => unknown): Times {
  for (let warmUp = 0; warmUp < 5; warmUp++) work();
  const times = Array.from({ length: runs }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return summary(times);
}

function summary(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

function report(what: string, { median, p95 }: Times, against: Times): void {
  const ratio = `${(median / against.median).toFixed(2)} × parse`;
  console.log(
    `${what.padEnd(44)}median ${median.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms   ${ratio}`,
  );
}
