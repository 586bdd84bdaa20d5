import { type StorageType, tensorElements, type WeightTensor } from './weights.ts';

/** Bytes of the stored values of a tensor, scales not included. nf4 packs two values into a byte. */
export const storedBytes = (elements: number, storage: StorageType): number =>
  storage === 'nf4' ? Math.ceil(elements / 2) : elements * bytesPerElement[storage];

const bytesPerElement = { fp32: 4, bf16: 2, fp16: 2, int8: 1 } as const;

/** bitsandbytes quantises weights in blocks of 64 and, with double quantisation, the scales in blocks of 256. */
const weightsPerScale = 64;
const scalesPerScale = 256;

/** The 16 values nf4 can take, in fp32; every quantised tensor carries its own table. */
const nf4TableBytes = 16 * 4;

/** With double quantisation: a table of 256 fp32 values for the scales, and the fp32 mean they were shifted by. */
const nestedTableBytes = 256 * 4;
const nestedOffsetBytes = 4;

/**
 * Bytes that the scales of one quantised tensor take. nf4: `4·⌈n/64⌉ + 64`; with double quantisation
 * `⌈n/64⌉ + 4·⌈⌈n/64⌉/256⌉ + 64 + 1024 + 4` (bitsandbytes 0.50, `quantize_4bit` and `QuantState`). int8: one fp32 scale for
 * each row (`SCB`). Not quantised: 0. The nf4 figures equal what was measured on real models, to the byte.
 */
export function scaleBytes(tensor: WeightTensor, storage: StorageType, doubleQuantised: boolean): number {
  if (storage === 'int8') return 4 * (tensor.shape[0] ?? 0);
  if (storage !== 'nf4') return 0;
  const scales = Math.ceil(tensorElements(tensor) / weightsPerScale);
  if (!doubleQuantised) return 4 * scales + nf4TableBytes;
  return scales + 4 * Math.ceil(scales / scalesPerScale) + nf4TableBytes + nestedTableBytes + nestedOffsetBytes;
}

export const isQuantised = (storage: StorageType): boolean => storage === 'nf4' || storage === 'int8';
