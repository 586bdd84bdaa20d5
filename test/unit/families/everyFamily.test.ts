import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { trainingStep } from '../../../server/core/budget/pytorch.ts';
import { configClasses } from '../../../server/core/families/configClass.ts';
import { familyNamed } from '../../../server/core/families/generated/registry.ts';
import { readConfig, shapeOfReadings } from '../../../server/core/families/readConfig.ts';
import { graphWeights } from '../../../server/core/states/graphWeights.ts';
import { tensorElements } from '../../../server/core/states/weights.ts';
import { rankShape } from '../../../server/core/total/rankShape.ts';

const run: RunShape = { batch: 2, sequence: 128, dataType: 'bf16', autocast: false, attention: 'sdpa', dropout: 0 };

/** What each class's own defaults make, where they make a whole model. */
const shapes: readonly (readonly [string, ModelShape])[] = configClasses().flatMap((config) => {
  const shape = shapeOfReadings(config, readConfig(config, {}).readings);
  return estimateBudget(shape, run, 1).pytorch === undefined ? [] : [[config.name, shape] as const];
});

test('most classes make a model from nothing but their defaults', () => assert.ok(shapes.length >= 35));

for (const [name, shape] of shapes) {
  test(`${name}: numbers stay numbers, and more work never takes less memory`, () => {
    const peak = (change: Partial<RunShape>) => {
      const { pytorch, notes } = estimateBudget(shape, { ...run, ...change }, 1);
      if (pytorch === undefined) {
        assert.ok(notes.length > 0);
        return undefined;
      }
      for (const { peakBytes, afterForwardBytes, extraForward } of pytorch.strategies) {
        assert.ok(Number.isSafeInteger(peakBytes) && peakBytes > 0);
        assert.ok(Number.isSafeInteger(afterForwardBytes) && afterForwardBytes >= 0);
        assert.ok(extraForward >= 0 && extraForward <= 1);
      }
      const [none, full] = pytorch.strategies;
      assert.ok(full!.afterForwardBytes <= none!.afterForwardBytes + 1_000_000);
      return none!.peakBytes;
    };
    const plain = peak({})!;
    assert.ok((peak({ batch: 4 }) ?? Number.POSITIVE_INFINITY) >= plain);
    assert.ok((peak({ dataType: 'fp32' }) ?? Number.POSITIVE_INFINITY) >= plain);
    assert.ok((peak({ frozenLayers: 1 }) ?? 0) <= plain);
    peak({ autocast: true });
    peak({ attention: 'eager', dropout: 0.1 });
    peak({ adapters: { rank: 8, targets: 'all-linear', dropout: 0.05, elementType: 'fp32' } });
    peak({ fused: { norm: true, mlp: true, loss: 'fused' } });
  });

  test(`${name}: two tensor-parallel ranks have each what Megatron's rule cuts, and all of the rest`, () => {
    const { model, problems } = rankShape(shape, run, { tensorParallel: 2, contextParallel: 1 });
    if (problems.length > 0)
      return assert.ok(familyNamed(shape.family)?.undivided === true || problems[0]!.accepted !== '');
    const layers = (of: ModelShape) => {
      const units = trainingStep(of, run)!.units.map(({ memory, isLayer }) => ({
        piece: memory.piece,
        kind: isLayer ? ('layer' as const) : ('outside' as const),
      }));
      return graphWeights({ units }).units.filter(({ place }) => place === 'layers');
    };
    const [whole, half] = [layers(shape), layers(model)];
    const cut = whole.flatMap(({ tensors, repeats }) =>
      tensors.map((tensor) => {
        const isCut = tensor.tensorParallelDimension !== undefined || tensor.expert === true;
        return repeats * tensorElements(tensor) * (isCut ? 0.5 : 1);
      }),
    );
    const found = half.flatMap(({ tensors, repeats }) => tensors.map((tensor) => repeats * tensorElements(tensor)));
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    // A single key/value head beside many query heads is copied to every rank.
    assert.ok(Math.abs(sum(found) / sum(cut) - 1) < 0.02, `${sum(found)} of ${sum(cut)}`);
    return undefined;
  });
}
