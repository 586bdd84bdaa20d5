import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customDevice, devices } from '../../../server/core/devices/devices.ts';
import { findDevice } from '../../../server/core/devices/findDevice.ts';
import { trainingSeconds } from '../../../server/core/devices/trainingSeconds.ts';

const found = (text: string): string | undefined => findDevice(text).device?.id;
const candidates = (text: string): readonly string[] => findDevice(text).candidates.map(({ id }) => id);

test('every device has a key of its own, a memory below its name’s, and sources', () => {
  assert.equal(new Set(devices.map(({ id }) => id)).size, devices.length);
  assert.ok(devices.filter(({ slice }) => slice === undefined).length >= 25);
  for (const device of devices) {
    assert.ok(Number.isSafeInteger(device.memoryBytes), device.id);
    assert.notEqual(device.memorySource, '');
    if (device.slice === undefined) {
      // Names round down (40 GB) or count in 1024s (24 GB), and never promise less than nine tenths of what is there.
      const share = device.memoryBytes / (device.gigabytes * 1e9);
      assert.ok(share > 0.9 && share < 1.1, `${device.id}: ${share}`);
    }
    if (Object.keys(device.peakFlops).length > 0) assert.notEqual(device.ratesSource ?? '', '');
    for (const rate of Object.values(device.peakFlops)) assert.ok(rate > 1e11 && rate < 1e16, device.id);
    const { bf16, fp16, tf32 } = device.peakFlops;
    if (bf16 !== undefined) assert.equal(bf16, fp16);
    if (tf32 !== undefined) assert.ok(tf32 < (fp16 ?? 0));
  }
});

test('a slice has less of everything than the whole', () => {
  for (const slice of devices.filter((device) => device.slice !== undefined)) {
    const whole = devices.find(({ id }) => id === slice.id.replace(`-${slice.slice}`, ''))!;
    assert.ok(slice.memoryBytes <= whole.memoryBytes && slice.peakFlops.bf16! <= whole.peakFlops.bf16!, slice.id);
  }
});

const written: readonly (readonly [string, string])[] = [
  ['4090', 'rtx-4090'],
  ['RTX4090', 'rtx-4090'],
  ['NVIDIA GeForce RTX 4090', 'rtx-4090'],
  ['A100-40GB', 'a100-40gb'],
  ['a100 80g', 'a100-80gb'],
  ['A100 80', 'a100-80gb'],
  ['NVIDIA A100-SXM4-80GB', 'a100-80gb'],
  ['NVIDIA A100 80GB PCIe', 'a100-80gb'],
  ['8xA100-80GB', 'a100-80gb'],
  ['8 x H100 SXM', 'h100-sxm'],
  ['H100 SXM x8', 'h100-sxm'],
  ['h200x8', 'h200'],
  ['NVIDIA H100 80GB HBM3', 'h100-sxm'],
  ['NVIDIA H100 PCIe', 'h100-pcie'],
  ['H100 NVL', 'h100-nvl'],
  ['h200', 'h200'],
  ['B200', 'b200'],
  ['gb200', 'gb200'],
  ['Tesla T4', 't4'],
  ['V100 16GB', 'v100-16gb'],
  ['Tesla V100-PCIE-32GB', 'v100-32gb-pcie'],
  ['Tesla P100-PCIE-16GB', 'p100'],
  ['A10G', 'a10g'],
  ['A10', 'a10'],
  ['L4', 'l4'],
  ['l40s', 'l40s'],
  ['A6000', 'rtx-a6000'],
  ['NVIDIA RTX 6000 Ada Generation', 'rtx-6000-ada'],
  ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'rtx-pro-6000'],
  ['rtx 3060 12gb', 'rtx-3060-12gb'],
  ['AMD Instinct MI300X', 'mi300x'],
  ['mi250x', 'mi250x'],
  ['NVIDIA A100 80GB PCIe MIG 1g.10gb', 'a100-80gb-1g.10gb'],
  ['NVIDIA H100 80GB HBM3 MIG 3g.40gb', 'h100-sxm-3g.40gb'],
  ['A100-SXM4-40GB MIG 1g.5gb', 'a100-40gb-1g.5gb'],
];

for (const [text, id] of written) test(`“${text}” is understood`, () => assert.equal(found(text), id));

test('what could be several devices gives candidates and no guess', () => {
  const ambiguous: readonly (readonly [string, readonly string[]])[] = [
    ['h100', ['h100-pcie', 'h100-sxm', 'h100-nvl']],
    ['H100 80GB', ['h100-pcie', 'h100-sxm']],
    ['a100', ['a100-40gb', 'a100-80gb']],
    ['V100', ['v100-16gb', 'v100-32gb-pcie', 'v100-32gb']],
    ['RTX 6000', ['rtx-6000-ada', 'rtx-pro-6000']],
    ['A100 1g.10gb', ['a100-40gb-1g.10gb', 'a100-80gb-1g.10gb']],
  ];
  for (const [text, ids] of ambiguous) {
    assert.equal(found(text), undefined);
    assert.deepEqual(candidates(text), ids, text);
  }
});

test('another card than those known is none of them', () => {
  const others = [
    '',
    '   ',
    'rtx 3060 ti',
    'RTX 4090 Laptop GPU',
    '4070 super',
    'A100 20GB',
    'l40',
    'gpu',
    'rtx',
    '80GB',
    'cpu',
    'tpu v4',
    'gaudi2',
    '1g.5gb',
    'x'.repeat(1e6),
    '6000 blackwell ada',
  ];
  for (const text of others) assert.deepEqual(candidates(text), [], text.slice(0, 40));
});

test('memory can be chosen freely within reason', () => {
  assert.equal(customDevice(48 * 1024 ** 3)?.memoryBytes, 48 * 1024 ** 3);
  for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.5e9 + 0.5, 1e30])
    assert.equal(customDevice(bad), undefined);
});

test('seconds are a range from known rates, and nothing otherwise', () => {
  const a100 = findDevice('A100-80GB').device!;
  const seconds = trainingSeconds(312e12, a100, 'bf16')!;
  assert.ok(Math.abs(seconds.low - 1 / 0.6) < 1e-9 && Math.abs(seconds.high - 1 / 0.3) < 1e-9);
  assert.match(seconds.source, /A100/);
  assert.deepEqual(trainingSeconds(0, a100, 'fp32')?.low, 0);
  assert.equal(trainingSeconds(1e15, findDevice('T4').device!, 'bf16'), undefined);
  assert.equal(trainingSeconds(1e15, customDevice(1e10)!, 'bf16'), undefined);
  for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(trainingSeconds(bad, a100, 'bf16'), undefined);
});

test('iterations that were measured lie within the range', () => {
  // Korthikanti et al. 2022, table 5, selective with sequence parallelism: batch, layers, hidden, GPUs, seconds an iteration.
  const runs = [
    [4, 48, 6144, 8, 1.1],
    [64, 96, 12288, 64, 13.75],
    [280, 105, 20480, 280, 37.83],
    [512, 128, 25600, 512, 71.49],
  ] as const;
  for (const [batch, layers, hidden, gpus, measured] of runs) {
    const [sequence, vocabulary] = [2048, 51200];
    const flops =
      72 *
      batch *
      layers *
      sequence *
      hidden *
      hidden *
      (1 + sequence / (6 * hidden) + vocabulary / (12 * hidden * layers));
    const { low, high } = trainingSeconds(flops / gpus, findDevice('A100-80GB').device!, 'bf16')!;
    assert.ok(low < measured && measured < high, `${low} ${measured} ${high}`);
  }
});
