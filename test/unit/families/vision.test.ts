import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { configClass } from '../../../server/core/families/configClass.ts';
import { readConfig, shapeOfReadings } from '../../../server/core/families/readConfig.ts';
import rows from '../../goldens/measured-families-vision.json';

interface Row {
  /** The class whose arguments `config` has. */
  readonly class: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly run: RunShape;
  readonly parameters: number;
  readonly layersBytes?: readonly number[];
  readonly outsideBytes: number;
  readonly totalBytes: number;
  /** Without and with a checkpoint around every layer. */
  readonly afterForward?: readonly [number, number];
  readonly peak?: readonly [number, number];
}

// Whole models on the meta device (torch 2.13, transformers 5.18, timm 1.0, torchvision 0.28), kernels as CUDA picks them:
// what autograd keeps of every layer and outside them, and the peak over forward and backward.
for (const row of rows as unknown as readonly Row[]) {
  const { config } = row;
  const run: RunShape = { ...row.run, kernels: 'meta' };
  test(`measured: ${row.class} ${JSON.stringify(config)} ${JSON.stringify(row.run)}`, () => {
    const known = configClass(row.class)!;
    const { readings, problems } = readConfig(known, config);
    assert.deepEqual(problems, []);
    const { pytorch: account, notes } = estimateBudget(shapeOfReadings(known, readings), run, 1);
    assert.ok(account, notes.join('; '));
    if (row.layersBytes) assert.deepEqual(account.layersBytes, row.layersBytes);
    assert.equal(account.outsideBytes, row.outsideBytes);
    assert.equal(account.savedBytes, row.totalBytes);
    assert.equal(account.parameters, row.parameters);
    for (const [at, strategy] of account.strategies.slice(0, 2).entries()) {
      if (!row.peak || !row.afterForward) continue;
      assert.equal(strategy.afterForwardBytes, row.afterForward[at]);
      const error = strategy.peakBytes / row.peak[at]! - 1;
      assert.ok(Math.abs(error) < 0.02, `${strategy.name}: ${strategy.peakBytes}, measured ${row.peak[at]} (${error})`);
    }
  });
}
