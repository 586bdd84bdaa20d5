import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { readHfConfig } from '../../../server/core/families/hfConfig.ts';
import rows from '../../goldens/measured-families-encoders.json';

interface Row {
  readonly config: Readonly<Record<string, unknown>>;
  readonly batch: number;
  readonly sequence: number;
  readonly targetSequence?: number;
  readonly dataType: RunShape['dataType'];
  readonly attention: RunShape['attention'];
  readonly autocast?: boolean;
  readonly dropout: number;
  /** The first stack of layers, or all of them. */
  readonly layersBytes: readonly number[];
  readonly totalBytes: number;
  readonly parameters?: number;
  /** Without and with `gradient_checkpointing_enable()`. */
  readonly afterForward?: readonly [number, number];
  readonly peak?: readonly [number, number];
}

// Whole transformers models on the meta device (torch 2.13, transformers 5.18): encoders, encoders with decoders, mixtures of
// experts. Everything autograd keeps, to the byte.
for (const [at, row] of (rows as unknown as readonly Row[]).entries()) {
  const { config } = row;
  const how = `${row.attention} ${row.dataType}${row.autocast ? ' under autocast' : ''}`;
  test(`measured ${at}: ${config.model_type} ${config.head ?? ''} b${row.batch} s${row.sequence} ${how} p${row.dropout}`, () => {
    const { shape } = readHfConfig(config);
    const run: RunShape = {
      batch: row.batch,
      sequence: row.sequence,
      dataType: row.dataType,
      autocast: row.autocast === true,
      attention: row.attention,
      dropout: row.dropout,
      ...(row.targetSequence !== undefined && { targetSequence: row.targetSequence }),
    };
    const account = estimateBudget(shape!, run, 1).pytorch!;
    assert.deepEqual(account.layersBytes.slice(0, row.layersBytes.length), row.layersBytes);
    assert.equal(account.savedBytes, row.totalBytes);
    if (row.parameters !== undefined) assert.equal(account.parameters, row.parameters);
    for (const [i, strategy] of account.strategies.slice(0, row.peak?.length ?? 0).entries()) {
      assert.equal(strategy.afterForwardBytes, row.afterForward![i]);
      const error = strategy.peakBytes / row.peak![i]! - 1;
      assert.ok(
        Math.abs(error) < 0.04,
        `${strategy.name}: ${strategy.peakBytes}, measured ${row.peak![i]} (${100 * error} %)`,
      );
    }
  });
}
