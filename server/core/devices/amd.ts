import { type Device, GBps, MiB, pcie, TFLOPS } from './device.ts';

const properties = 'torch.cuda.get_device_properties';
const outOfMemory = 'total capacity in torch’s out-of-memory messages';

const fabric = (gigabytes: number): NonNullable<Device['peerLink']> => ({
  kind: 'Infinity Fabric',
  bytesPerSecond: gigabytes * GBps,
});

/** AMD Instinct; torch reports the memory less 16 MiB. */
export const amd: readonly Device[] = [
  {
    id: 'mi210',
    name: 'MI210 64 GB',
    generation: 'cdna2',
    gigabytes: 64,
    words: ['mi210'],
    memoryBytes: 65520 * MiB,
    memorySource: 'as one die of an MI250X, the same die and memory',
    peakFlops: { bf16: 181 * TFLOPS, fp16: 181 * TFLOPS, fp32: 22.6 * TFLOPS },
    ratesSource: 'AMD MI210 data sheet',
    memoryBandwidth: 1638 * GBps,
    hostLink: pcie.gen4,
    peerLink: fabric(300),
  },
  {
    id: 'mi250x',
    name: 'MI250X 64 GB (one of two dies)',
    generation: 'cdna2',
    gigabytes: 64,
    words: ['mi250x'],
    memoryBytes: 65520 * MiB,
    memorySource: `${properties}: 65520 MB; a card shows up as two devices`,
    peakFlops: { bf16: 191.5 * TFLOPS, fp16: 191.5 * TFLOPS, fp32: 23.9 * TFLOPS },
    ratesSource: 'AMD MI250X data sheet, half of the card',
    memoryBandwidth: 1638 * GBps,
    hostLink: pcie.gen4,
  },
  {
    id: 'mi300x',
    name: 'MI300X 192 GB',
    generation: 'cdna3',
    gigabytes: 192,
    words: ['mi300x', 'hbm3'],
    memoryBytes: 196592 * MiB,
    memorySource: `${properties}: 196592 MB`,
    peakFlops: { bf16: 1307.4 * TFLOPS, fp16: 1307.4 * TFLOPS, tf32: 653.7 * TFLOPS, fp32: 163.4 * TFLOPS },
    ratesSource: 'AMD MI300X data sheet',
    memoryBandwidth: 5300 * GBps,
    hostLink: pcie.gen5,
    peerLink: fabric(896),
  },
  {
    id: 'mi325x',
    name: 'MI325X 256 GB',
    generation: 'cdna3',
    gigabytes: 256,
    words: ['mi325x', 'hbm3e'],
    memoryBytes: 262128 * MiB,
    memorySource: `${outOfMemory}: 255.98 GiB`,
    peakFlops: { bf16: 1307.4 * TFLOPS, fp16: 1307.4 * TFLOPS, tf32: 653.7 * TFLOPS, fp32: 163.4 * TFLOPS },
    ratesSource: 'AMD MI325X data sheet',
    memoryBandwidth: 6000 * GBps,
    hostLink: pcie.gen5,
    peerLink: fabric(896),
  },
  {
    id: 'mi355x',
    name: 'MI355X 288 GB',
    generation: 'cdna4',
    gigabytes: 288,
    words: ['mi355x', 'hbm3e'],
    memoryBytes: 294896 * MiB,
    memorySource: `${outOfMemory}: 287.98 GiB`,
    peakFlops: { bf16: 2516.6 * TFLOPS, fp16: 2516.6 * TFLOPS, fp32: 157.3 * TFLOPS },
    ratesSource: 'AMD MI355X data sheet',
    memoryBandwidth: 8000 * GBps,
    hostLink: pcie.gen5,
    peerLink: fabric(1075),
  },
];
