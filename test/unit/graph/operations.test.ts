import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GraphBuilder } from '../../../server/core/graph/graph.ts';
import { type OperationName, operationNames, operationRow } from '../../../server/core/graph/operations.ts';
import {
  type ElementType,
  newTensor,
  type Storage,
  type Tensor,
  tensorBytes,
} from '../../../server/core/graph/tensor.ts';
import { calls } from './calls.ts';

/** A measurement by test/torch/operations/measure.py, which says what the fields are. */
interface Measured {
  readonly case: string;
  readonly inputs: readonly (readonly [ElementType, ...number[]])[];
  readonly learns: readonly boolean[];
  readonly frozen: boolean;
  readonly weights: 'fp32' | 'bf16';
  readonly outputs: readonly (readonly [string, ...number[]])[];
  readonly strides: readonly (readonly number[])[];
  readonly kept: readonly string[];
  readonly gradients: readonly (number | null)[];
  readonly flops: number;
}

const [header = '', ...lines] = readFileSync('test/goldens/operations.jsonl', 'utf8').trim().split('\n');
const measurements = lines.map((line) => JSON.parse(line) as Measured);
const seen = new Set<OperationName>();

/** What torch's own counter does not count. */
const uncounted = new Set(['groupedProduct', 'recurrentLayers', 'cutCrossEntropy', 'linearLossInChunks']);

for (const measured of measurements) {
  const who = measured.learns.map((learns, i) => (learns ? `input ${i}` : '')).filter(Boolean);
  test(`torch keeps of ${measured.case}, ${measured.weights}, ${who.join(' and ') || 'weights'} learning`, () => {
    const graph = new GraphBuilder(
      { compute: measured.weights, weights: measured.weights, autocast: false },
      { frozen: measured.frozen },
    );
    const inputs = measured.inputs.map(([type, ...shape], i) =>
      newTensor(shape, type, { role: 'input', requiresGradient: measured.learns[i] ?? false }),
    );
    const call = calls[measured.case];
    assert.ok(call, 'the case has a call in calls.ts');
    const outputs = [call(graph, ...inputs)].flat() as Tensor[];
    for (const { name } of graph.operations) seen.add(name);

    const shown = outputs.map(({ elementType, shape }) => [elementType, ...shape]);
    assert.deepEqual(shown, measured.outputs.slice(0, shown.length), 'results');
    assert.deepEqual(outputs.map(laidOut), measured.strides.slice(0, shown.length).map(laidOutAs(measured)), 'strides');
    assert.deepEqual(keptNames(graph, inputs, outputs), measured.kept, 'kept');
    const flops = graph.operations.reduce((sum, each) => sum + (operationRow(each.name).flops?.(each) ?? 0), 0);
    if (!uncounted.has(measured.case)) assert.equal(flops, measured.flops, 'FLOPs');
    if (graph.operations.length === 1) assert.deepEqual(gradientBytes(graph), measured.gradients, 'gradients');
  });
}

/** The stride of a dimension with one entry says nothing. */
const telling = (shape: readonly number[], strides: readonly number[]) =>
  strides.map((each, i) => (shape[i] === 1 ? 0 : each));
const laidOut = ({ shape, strides }: Tensor) => telling(shape, strides);
const laidOutAs =
  ({ outputs }: Measured) =>
  (strides: readonly number[], at: number) =>
    telling((outputs[at] ?? []).slice(1) as number[], strides);

/** Distinct storages by the same names as the measurements give them. */
function keptNames(graph: GraphBuilder, inputs: readonly Tensor[], outputs: readonly Tensor[]): readonly string[] {
  const names = new Map<Storage, string>();
  for (const [i, { storage }] of outputs.entries()) names.set(storage, `output ${i}`);
  for (const [i, { storage }] of inputs.entries()) names.set(storage, `input ${i}`);
  const storages = new Set(graph.operations.flatMap(({ kept }) => kept.map(({ storage }) => storage)));
  return [...storages]
    .map((each) => names.get(each) ?? (each.role === 'parameter' ? `weight of ${each.bytes}` : `${each.bytes} bytes`))
    .sort();
}

function gradientBytes(graph: GraphBuilder): readonly (number | null)[] {
  const [operation] = graph.operations;
  const result = operation?.outputs.find(({ requiresGradient }) => requiresGradient);
  if (operation === undefined) return [];
  if (result === undefined) return operation.inputs.map(() => null);
  const gradient = newTensor(result.shape, result.elementType);
  const gradients = operationRow(operation.name).gradients({ ...operation, gradient });
  return operation.inputs
    .map((input, i) => ({ input, each: gradients[i] }))
    .filter(({ input }) => input.storage.role === 'input')
    .map(({ input, each }) => {
      if (!input.requiresGradient || each === undefined) return null;
      // A gradient of another type than its input is cast on its way.
      if (each.elementType !== input.elementType) return tensorBytes(input);
      return each.storage === gradient.storage ? 0 : each.storage.bytes;
    });
}

test('every operation was measured', () => {
  assert.deepEqual(
    operationNames().filter((name) => !seen.has(name)),
    [],
  );
});

test('autocast casts what its lists name', () => {
  const lists = (JSON.parse(header) as { autocast: Record<'low' | 'fp32' | 'widest', string[]> }).autocast;
  for (const name of operationNames()) {
    const row = operationRow(name);
    const [operation = ''] = row.torch.split(/[. ]/);
    const listed = (['low', 'fp32', 'widest'] as const).find((list) => lists[list].includes(operation));
    assert.equal(row.autocast, listed, name);
  }
});
