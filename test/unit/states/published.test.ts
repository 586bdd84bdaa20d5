import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowanceParts } from '../../../server/core/states/allowance.ts';
import { precisions, type StatesSetup } from '../../../server/core/states/setup.ts';
import type { ModelWeights } from '../../../server/core/states/weights.ts';
import rows from '../../goldens/published-states.json';
import { counted, line, llama, MiB, quantised, states, unitBytes, weightsOf, zero } from './examples.ts';

type Arguments = Readonly<Record<string, number | boolean | string>>;
interface Row {
  readonly id: string;
  readonly expected: number;
  readonly unit: string;
  readonly formula?: string;
  readonly args?: Arguments;
  readonly tolerance?: { readonly abs?: number; readonly rel?: number };
}

/** Bytes this code gives for one published number, by the formula its source used. */
const computed: Readonly<Record<string, (args: Arguments) => number>> = {
  // In the step nothing is gathered, which is what the paper counts.
  zero: ({ psi, stage, N }) =>
    states(counted(Number(psi)), { precision: precisions.zeroPaper, sharding: zero(stage as 1, Number(N)) }).deviceBytes
      .step,
  per_param: ({ n, k }) => perParameter(counted(Number(n)), Number(k)),
  // Parameters of the Playbook's chart: GPT with positions for the sequence.
  playbook_state: ({ L, h, v, s, k }) => {
    const [layers, hidden, vocabulary, sequence] = [Number(L), Number(h), Number(v), Number(s)];
    const layer = 12 * hidden * hidden + 13 * hidden;
    return perParameter(counted(layers * layer, hidden * (vocabulary + sequence), 2 * hidden), Number(k));
  },
  llama_state: (args) => {
    const weights = matricesOf(llamaOf(args));
    const shard = Number(args.shard ?? 1);
    return sharedOver(weights, Number(args.k), shard);
  },
  llama_state_pp: (args) =>
    line(
      matricesOf(llamaOf(args)),
      { ...bf16, pipeline: { stages: Number(args.p), stage: 0, chunks: 1 } },
      'parameters-bf16',
    ),
  // The table of the documentation is older than the code: full gradients, which is stage 1 with the fp32 copy of its share.
  ds_z2: ({ P, G }) =>
    states(counted(Number(P)), { precision: precisions.deepspeed, sharding: zero(1, Number(G)) }).deviceBytes.step,
  ds_z3: ({ P, largest, G, offload }) => {
    const setup: Partial<StatesSetup> = {
      precision: precisions.deepspeed,
      sharding: zero(3, Number(G)),
      offload:
        offload === 'all'
          ? { parameters: 'host', optimizer: 'host' }
          : { parameters: 'device', optimizer: offload === 'none' ? 'device' : 'host' },
    };
    const weights = inPiecesOf(Number(P), Number(largest));
    // The estimate adds the gathered weights and gradients of a layer to what is sharded, the step's fp32 copy included, and
    // leaves out the 16-bit gradients that stage3.py keeps in one flat buffer beside them.
    const flatGradients = offload === 'none' ? line(weights, setup, 'gradients') : 0;
    return states(weights, setup).deviceBytes.step + gatheredBytes(weights, setup) - flatGradients;
  },
  nf4_packed: ({ n }) => line(linears(Number(n)), bf16, 'quantised-weights-nf4'),
  nf4_scales: ({ n }) => line(linears(Number(n)), bf16, 'quantisation-scales'),
  kbit_unquantized: ({ n }) => line(counted(Number(n)), {}, 'parameters-fp32'),
};

const bf16 = { precision: precisions.pureBf16 };

for (const row of rows as readonly Row[]) {
  const bytesOf = computed[row.formula ?? ''];
  if (bytesOf === undefined || row.args === undefined) continue;
  test(`published: ${row.id}`, () => {
    const got = bytesOf(row.args ?? {}) / (unitBytes[row.unit] ?? Number.NaN);
    const allowed = row.tolerance?.abs ?? (row.tolerance?.rel ?? 0) * row.expected;
    assert.ok(Math.abs(got - row.expected) <= allowed, `${got} ${row.unit} instead of ${row.expected}`);
  });
}

const row = (id: string): Row => (rows as readonly Row[]).find((one) => one.id === id)!;

test('every published row about states is covered', () => {
  const uncovered = (rows as readonly Row[]).filter(({ formula }) => computed[formula ?? ''] === undefined);
  const apart = ['cuda-context-T4-fitcheck', 'cuda-context-T4-preflight', 'lomo-adamw-states', 'qlora-65b'];
  assert.deepEqual(uncovered.map(({ id }) => id).sort(), apart);
});

test('measured: 12 bytes of AdamW a parameter for LLaMA-7B', () => {
  const setup = { precision: precisions.zeroPaper };
  const parts = states(weightsOf(llama7), setup).parts;
  const optimizer = parts.filter(({ group }) => group === 'optimizer').reduce((sum, { bytes }) => sum + bytes, 0);
  assert.equal((optimizer / unitBytes.GiB!).toFixed(2), String(row('lomo-adamw-states').expected));
});

test('measured: 65 billion parameters fit 48 GB with QLoRA and take over 780 GB without', () => {
  const shape = llama({
    layers: 80,
    hidden: 8192,
    heads: 64,
    keyValueHeads: 64,
    feedForward: 22016,
    vocabulary: 32000,
  });
  const weights = quantised(shape, { ...qlora, rank: 64, targets: 'all-linear' }, 'bf16');
  const adapted = states(weights, { ...bf16, doubleQuantised: true });
  assert.ok(adapted.deviceBytes.step < row('qlora-65b').expected * 1e9);
  // The paper's 780 GB are 12 bytes a parameter: 2 + 2 + 8.
  const full = states(weightsOf(shape), { ...bf16, optimizer: { name: 'adamw', stateType: 'fp32' } });
  assert.ok(full.deviceBytes.step > 780e9 && full.deviceBytes.step < 800e9);
});

test('measured: the scales of nf4 linears to the byte, and everything else in fp32', () => {
  const shape = llama({ layers: 16, hidden: 2048, headDimension: 64, feedForward: 8192, tiedEmbeddings: true });
  const weights = quantised(shape, qlora);
  const parts = states(weights, bf16).parts;
  const of = (...keys: readonly string[]) =>
    parts.filter(({ key }) => keys.includes(key)).reduce((sum, { bytes }) => sum + bytes, 0) / MiB;
  assert.equal(of('quantised-weights-nf4'), 464);
  // Each of the 112 linears has a table of 64 bytes beside its scales; the formula n/16 leaves it out.
  assert.equal(of('quantisation-scales'), row('qlora-weights Llama-3.2-1B scales').expected);
  assert.equal(of('frozen-parameters-fp32', 'parameters-fp32'), row('qlora-weights Llama-3.2-1B fp32').expected);
});

test('measured: the CUDA context of a T4 lies in the allowance', () => {
  const input = {
    generation: 'turing',
    lastingBytes: 0,
    passingBytes: 0,
    attention: 'fused',
    communicators: 0,
  } as const;
  const [context] = allowanceParts(input).parts;
  for (const id of ['cuda-context-T4-fitcheck', 'cuda-context-T4-preflight'])
    assert.ok(row(id).expected >= context!.low / MiB - 0.2 && row(id).expected <= context!.high / MiB);
});

const qlora = {
  rank: 16,
  targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj'],
  dropout: 0,
  elementType: 'fp32',
} as const;

const llama7 = llama({ keyValueHeads: 32, feedForward: 11008, vocabulary: 32000 });

/** `k` bytes a parameter are: 2 or 4 the weights, 8 moments, 16 fp32 or 16-bit with copies, 20 with fp32 gradients too. */
function perParameter(weights: ModelWeights, k: number): number {
  const all = (setup: Partial<StatesSetup>) => states(weights, setup).deviceBytes.step;
  if (k === 16) {
    const inFp32 = all({});
    assert.equal(all({ precision: precisions.zeroPaper }), inFp32);
    return inFp32;
  }
  if (k === 20) return all({ precision: precisions.deepspeed });
  if (k === 8) return line(weights, {}, 'first-moment') + line(weights, {}, 'second-moment');
  return line(weights, k === 2 ? bf16 : {}, `parameters-${k === 2 ? 'bf16' : 'fp32'}`);
}

/** Matrices cut evenly by tensor parallelism, gradients alike, and 8 bytes of states and copies by ZeRO. */
function sharedOver(weights: ModelWeights, k: number, shard: number): number {
  if (k === 2) {
    const byTensor = line(weights, { ...bf16, tensorParallel: shard }, 'parameters-bf16');
    assert.equal(line(weights, { ...bf16, tensorParallel: shard }, 'gradients'), byTensor);
    assert.equal(line(weights, { ...bf16, sharding: zero(3, shard) }, 'parameters-bf16'), byTensor);
    return byTensor;
  }
  // The chart counts 16-bit moments beside the fp32 copy.
  const setup: Partial<StatesSetup> = {
    precision: precisions.zeroPaper,
    optimizer: { name: 'adamw', stateType: 'bf16' },
    sharding: zero(1, shard),
  };
  const keys = ['master-weights', 'first-moment', 'second-moment'];
  return keys.reduce((sum, key) => sum + line(weights, setup, key), 0);
}

const gatheredBytes = (weights: ModelWeights, setup: Partial<StatesSetup>): number =>
  line(weights, setup, 'gathered-parameters') + line(weights, setup, 'gathered-gradients');

/** The Playbook's charts count matrices only. */
const matricesOf = (weights: ModelWeights): ModelWeights => ({
  units: weights.units.map((unit) => ({ ...unit, tensors: unit.tensors.filter(({ shape }) => shape.length > 1) })),
});

const llamaOf = ({ L, h, a, kv, I, v, tied }: Arguments): ModelWeights =>
  weightsOf(
    llama({
      layers: Number(L),
      hidden: Number(h),
      heads: Number(a),
      keyValueHeads: Number(kv),
      headDimension: Number(h) / Number(a),
      feedForward: Number(I),
      vocabulary: Number(v),
      tiedEmbeddings: tied === true,
    }),
  );

const inPiecesOf = (total: number, largest: number): ModelWeights =>
  counted(...Array.from({ length: Math.floor(total / largest) }, () => largest), total % largest);

const linears = (n: number): ModelWeights => ({
  units: [
    {
      name: 'all',
      place: 'layers',
      repeats: 1,
      tensors: [{ name: 'linears', shape: [n], role: 'linear', trainable: false, storage: 'nf4' }],
    },
  ],
});
