import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { readHfConfig } from '../../../server/core/families/hfConfig.ts';
import rows from '../../goldens/measured-models.json';

interface Row {
  readonly config: Readonly<Record<string, unknown>>;
  readonly batch: number;
  readonly sequence: number;
  readonly dataType: RunShape['dataType'];
  readonly attention: RunShape['attention'];
  readonly dropout: number;
  readonly parameters?: number;
  readonly layersBytes?: readonly number[];
  readonly outsideBytes?: number;
  readonly totalBytes?: number;
  /** Without and with `gradient_checkpointing_enable()`. */
  readonly afterForward: readonly [number, number];
  readonly peak: readonly [number, number];
}

// Whole transformers models on the meta device (torch 2.13, transformers 5.18): what autograd keeps, what is live after the
// forward pass, and the peak over forward and backward, from `config.json` keys to bytes.
for (const row of rows as unknown as readonly Row[]) {
  const { config } = row;
  const size = `${config.hidden_size ?? config.n_embd}×${config.num_hidden_layers ?? config.n_layer}`;
  const name = [
    config.model_type,
    size,
    row.attention,
    row.dataType,
    `b${row.batch}`,
    `s${row.sequence}`,
    `p${row.dropout}`,
  ];
  test(`measured: ${name.join(' ')}`, () => {
    const { shape, problems } = readHfConfig(config);
    assert.deepEqual(problems, []);
    const run: RunShape = {
      batch: row.batch,
      sequence: row.sequence,
      dataType: row.dataType,
      autocast: false,
      attention: row.attention,
      dropout: row.dropout,
      kernels: 'meta',
    };
    const account = estimateBudget(shape!, run, 1).pytorch!;
    if (row.parameters !== undefined) assert.equal(account.parameters, row.parameters);
    if (row.layersBytes) assert.deepEqual(account.layersBytes, row.layersBytes);
    if (row.outsideBytes !== undefined) assert.equal(account.outsideBytes, row.outsideBytes);
    if (row.totalBytes !== undefined) assert.equal(account.savedBytes, row.totalBytes);
    for (const [at, strategy] of account.strategies.slice(0, 2).entries()) {
      assert.equal(strategy.afterForwardBytes, row.afterForward[at]);
      const error = strategy.peakBytes / row.peak[at]! - 1;
      assert.ok(
        Math.abs(error) < 0.015,
        `${strategy.name}: ${strategy.peakBytes}, measured ${row.peak[at]} (${100 * error} %)`,
      );
    }
  });
}
