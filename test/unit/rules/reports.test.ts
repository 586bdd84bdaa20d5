import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configFile } from '../../../server/core/config/configFile.ts';
import { detectRun } from '../../../server/core/facts/detectRun.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { lintConfigText, lintText } from '../../support/lint.ts';
import { parsePython } from '../../support/python.ts';
import { distributed } from '../../support/reports/distributed.ts';
import { frameworks } from '../../support/reports/frameworks.ts';
import { lostGradients } from '../../support/reports/lostGradients.ts';
import { memory } from '../../support/reports/memory.ts';
import { nearMisses } from '../../support/reports/nearMisses.ts';
import { otherForms } from '../../support/reports/otherForms.ts';
import { recomputation } from '../../support/reports/recomputation.ts';
import type { Reports, Told } from '../../support/reports/report.ts';
import { selective } from '../../support/reports/selective.ts';
import { wrongCalls } from '../../support/reports/wrongCalls.ts';

/** What people reported over the years, by number, with what the product says to each. */
const reports: Reports = {
  ...wrongCalls,
  ...lostGradients,
  ...distributed,
  ...recomputation,
  ...selective,
  ...frameworks,
  ...memory,
};

test('every report has its row', () => {
  const numbers = Array.from({ length: 73 }, (_, index) => `R${String(index + 1).padStart(2, '0')}`);
  assert.deepEqual(Object.keys(reports).toSorted(), numbers);
});

for (const [name, report] of Object.entries(reports)) {
  if ('outOfReach' in report) continue;
  test(name, () => check(report));
}

for (const [name, form] of Object.entries(otherForms)) test(name, () => check(form));

for (const [name, shape] of Object.entries(nearMisses)) test(`silent: ${name}`, () => check({ ...shape, codes: [] }));

function check({ shape, as, codes, versions, panel }: Told): void {
  const text = shape.replace(/^\n/, '');
  const options = { versions: { ...versions } };
  // A file that is not known as any library's would be silent for a reason that proves nothing.
  if (as !== undefined) assert.ok(configFile(`test.${as}`, text, as) !== undefined, 'no known configuration');
  const found = as === undefined ? lintText(text, options) : lintConfigText(text, as, options);
  assert.deepEqual(
    found.map(({ code }) => code),
    codes,
  );
  if (panel === undefined) return;
  const { module, names, path } = sourceFile('train.py', parsePython(text));
  const facts = detectRun(module, names, path);
  assert.ok(facts !== undefined, 'the panel knows nothing of it');
  panel(facts);
}
