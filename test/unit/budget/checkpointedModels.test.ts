import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunShape } from '../../../server/core/budget/account.ts';
import type { Plan, Policy, Treatment } from '../../../server/core/budget/plan.ts';
import { savesEverySecondProduct } from '../../../server/core/budget/policies.ts';
import { pytorchAccount, trainingStep } from '../../../server/core/budget/pytorch.ts';
import { peakOf, simulate } from '../../../server/core/budget/simulate.ts';
import type { Adapters } from '../../../server/core/facts/facts.ts';
import { readHfConfig } from '../../../server/core/families/hfConfig.ts';
import rows from '../../goldens/checkpointed-models.json';

interface Row {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly batch: number;
  readonly sequence: number;
  readonly targetSequence?: number;
  readonly dataType: RunShape['dataType'];
  readonly attention: RunShape['attention'];
  readonly adapters?: Adapters;
  readonly inputRequiresGradient?: boolean;
  readonly frozenLayers?: number;
  /** First to last; each is there `times` times. */
  readonly regions: readonly {
    readonly times: number;
    readonly layers: number;
    readonly treatment: 'plain' | 'checkpoint' | 'reentrant';
    /** What a selective checkpoint saves: `mm` is every linear, `second` every second one and fused attention. */
    readonly saved?: 'second' | readonly string[];
  }[];
  readonly layerBytes?: number;
  readonly afterForwardBytes: number;
  readonly peakBytes: number;
}

const savesLinears: Policy = { name: 'mm', saves: ({ name }) => name === 'linear' };

const planOf = ({ regions }: Row): Plan =>
  regions.flatMap(({ times, layers, treatment, saved }) => {
    const policy = saved === undefined ? {} : { policy: saved === 'second' ? savesEverySecondProduct : savesLinears };
    const kind: Treatment =
      treatment === 'plain'
        ? { kind: 'plain' }
        : { kind: 'checkpoint', reentrant: treatment === 'reentrant', offloaded: false, ...policy };
    return Array.from({ length: times }, () => ({ layers, treatment: kind }));
  });

// Small transformers models on the meta device (torch 2.13, transformers 5.18) whose layers were wrapped in checkpoints as
// `regions` say: segments that do not divide, some layers only, adapters, frozen layers, experts.
for (const row of rows as unknown as readonly Row[]) {
  test(`measured: ${row.id}`, () => {
    const { shape } = readHfConfig(row.config);
    const { batch, sequence, dataType, attention, adapters, frozenLayers, targetSequence } = row;
    const run: RunShape = {
      batch,
      sequence,
      dataType,
      attention,
      autocast: false,
      dropout: 0,
      kernels: 'meta',
      ...(adapters && { adapters, inputRequiresGradient: row.inputRequiresGradient === true }),
      ...(targetSequence !== undefined && { targetSequence }),
      ...(frozenLayers !== undefined && { frozenLayers }),
    };
    if (row.layerBytes !== undefined) assert.equal(pytorchAccount(shape!, run, 1)!.layerBytes, row.layerBytes);
    const peaks = simulate(trainingStep(shape!, run)!, planOf(row));
    assert.equal(peaks.afterForwardBytes, row.afterForwardBytes);
    const error = peakOf(peaks) / row.peakBytes - 1;
    assert.ok(Math.abs(error) < 0.02, `${peakOf(peaks)}, measured ${row.peakBytes}: ${(100 * error).toFixed(2)} %`);
  });
}
