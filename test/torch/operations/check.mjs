// Measures again what torch keeps of single operations and compares it with the lines the unit tests hold the table to.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../../extension/host/run.mjs';
import { lastLines } from '../../runner/results.mjs';

/** What differs, in words; undefined where nothing does. */
export async function operationsDiffer(root, python) {
  const known = readFileSync(path.join(root, 'test', 'goldens', 'operations.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const script = path.join(root, 'test', 'torch', 'operations', 'measure.py');
  const { code, output } = await run(python, [script], {
    seconds: 120,
    env: { ...process.env, PYTHONWARNINGS: 'ignore', PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (code !== 0) return `operations/measure.py ended with exit code ${code}\n${lastLines(output)}`;
  const measured = output.split('\n').filter((line) => line.startsWith('{'));
  const wrong = measured.find((line, i) => line !== known[i]);
  if (wrong !== undefined) return `test/goldens/operations.jsonl does not say what torch does:\n${wrong.slice(0, 400)}`;
  return measured.length === known.length ? undefined : `${measured.length} lines measured, ${known.length} known`;
}
