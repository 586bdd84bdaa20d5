import type { DeviceGeneration } from '../states/allowance.ts';

/** A device as a training process sees it: one GPU, one die of a card with two, or one MIG slice. */
export interface Device {
  /** Stable key: `h100-sxm`, `a100-80gb-1g.10gb`. */
  readonly id: string;
  /** For people: `H100 80 GB SXM`. */
  readonly name: string;
  readonly generation: DeviceGeneration | undefined;
  /** What torch reports as `total_memory`, less than the name says: the driver and ECC keep some. */
  readonly memoryBytes: number;
  readonly memorySource: string;
  /** Peak FLOP/s of dense matrices by data type, accumulated in fp32; absent where the maker prints none. */
  readonly peakFlops: PeakFlops;
  /** Absent together with the rates. */
  readonly ratesSource?: string;
  /** Bytes a second between device and its own memory. */
  readonly memoryBandwidth?: number;
  /** Bytes a second to the host, one way: what offloading moves through. */
  readonly hostLink?: number;
  /** Bytes a second to other devices, both ways together, as makers print it. */
  readonly peerLink?: { readonly kind: 'NVLink' | 'Infinity Fabric'; readonly bytesPerSecond: number };
  /** Words that name it, beside the number of gigabytes: `h100 sxm sxm5 hbm3`. The first must be there. */
  readonly words: readonly string[];
  /** Gigabytes of its name. */
  readonly gigabytes: number;
  /** A MIG profile: `1g.10gb`. */
  readonly slice?: string;
}

export interface PeakFlops {
  readonly bf16?: number;
  readonly fp16?: number;
  /** fp32 matrices rounded to 19 bits on the way into tensor cores; off by default for matrix products in torch. */
  readonly tf32?: number;
  readonly fp32?: number;
}

export const MiB = 1024 * 1024;
export const GiB = 1024 * MiB;
export const TFLOPS = 1e12;
export const GBps = 1e9;

/** 16 lanes, one way. */
export const pcie = { gen3: 15.75 * GBps, gen4: 31.5 * GBps, gen5: 63 * GBps } as const;

/** Tensor cores that run both 16-bit types at one rate. */
export const tensorCores = (sixteenBit: number, tf32: number, fp32: number): PeakFlops => ({
  bf16: sixteenBit * TFLOPS,
  fp16: sixteenBit * TFLOPS,
  tf32: tf32 * TFLOPS,
  fp32: fp32 * TFLOPS,
});

export const nvlink = (gigabytes: number): NonNullable<Device['peerLink']> => ({
  kind: 'NVLink',
  bytesPerSecond: gigabytes * GBps,
});
