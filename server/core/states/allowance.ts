import { countProblem, type Problem } from './problems.ts';

/** Memory that no formula gives exactly, as a range in bytes with the reason for it and where its figures are from. */
export interface AllowancePart extends ByteRange {
  readonly key: 'cuda-context' | 'cublas-workspace' | 'fragmentation' | 'nccl-buffers';
  readonly label: string;
  readonly reason: string;
  readonly source: string;
}

export interface ByteRange {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/** Generations the context was measured on; others get the range of all. */
export type DeviceGeneration =
  | 'pascal'
  | 'volta'
  | 'turing'
  | 'ampere'
  | 'ada'
  | 'hopper'
  | 'blackwell'
  | 'cdna2'
  | 'cdna3'
  | 'cdna4';

export interface AllowanceInput {
  /** Undefined where the device is not known. */
  readonly generation: DeviceGeneration | undefined;
  /** What lives for the whole run: parameters, states. */
  readonly lastingBytes: number;
  /** What comes and goes in a step: activations, gradients, gathered weights. */
  readonly passingBytes: number;
  readonly attention: 'eager' | 'fused';
  /** NCCL communicators this rank takes part in: one for each kind of parallelism in use; 0 on one device. */
  readonly communicators: number;
}

const MiB = 1024 * 1024;

/** The parts of the allowance, or what is wrong with the input. */
export function allowanceParts(input: AllowanceInput): {
  readonly parts: readonly AllowancePart[];
  readonly problems: readonly Problem[];
} {
  const problems = [
    ...countProblem('lastingBytes', input.lastingBytes, 0, Number.MAX_SAFE_INTEGER / 4),
    ...countProblem('passingBytes', input.passingBytes, 0, Number.MAX_SAFE_INTEGER / 4),
    ...countProblem('communicators', input.communicators, 0, 1000),
  ];
  if (problems.length > 0) return { parts: [], problems };
  const nccl = input.communicators > 0 ? [ncclBuffers(input.communicators)] : [];
  return {
    parts: [context(input.generation), cublasWorkspace(input.generation), fragmentation(input), ...nccl],
    problems,
  };
}

/** Exact bytes and allowance together. */
export function withAllowance(exactBytes: number, parts: readonly AllowancePart[]): ByteRange {
  const sum = (of: (part: AllowancePart) => number): number =>
    parts.reduce((total, part) => total + of(part), exactBytes);
  return { low: sum(({ low }) => low), expected: sum(({ expected }) => expected), high: sum(({ high }) => high) };
}

/**
 * Contexts as measured: T4 134.9 and 140.9 MiB; RTX 3090 256 MiB bare; RTX 6000 Ada 426 MiB; 616 MiB on a server that only
 * pinned host memory. Before CUDA 11.7 all kernels were loaded at once, which took over 1000 MB.
 */
function context(generation: DeviceGeneration | undefined): AllowancePart {
  const measured = generation === undefined ? undefined : measuredContexts[generation];
  const [low, expected, high] = measured?.mebibytes ?? [135, 400, 616];
  return {
    key: 'cuda-context',
    label: 'CUDA context',
    low: low * MiB,
    expected: expected * MiB,
    high: high * MiB,
    reason:
      measured === undefined
        ? 'the driver and loaded kernels; not measured on this device, so the range of all measured ones'
        : 'the driver and loaded kernels, outside of torch’s own counters; grows as more kernels are used',
    source: measured?.source ?? `${pytorchIssues}; torch-preflight; LMCache #4019`,
  };
}

const pytorchIssues = 'pytorch #107667 and #109888 (300 to 400 MB with lazy loading)';

const measuredContexts: Readonly<
  Partial<Record<DeviceGeneration, { readonly mebibytes: readonly [number, number, number]; readonly source: string }>>
> = {
  turing: { mebibytes: [135, 141, 300], source: 'torch-preflight and fitcheck, Tesla T4, over 60 runs' },
  ampere: { mebibytes: [256, 400, 616], source: `InvokeAI #9413, RTX 3090; ${pytorchIssues}` },
  ada: { mebibytes: [256, 426, 616], source: `unsloth-zoo #1053, RTX 6000 Ada; ${pytorchIssues}` },
};

/**
 * torch gives each pair of cuBLAS handle and stream a workspace of 8,519,680 bytes, 32 MiB on Hopper; forward and backward
 * run on threads with handles of their own. cublasLt, which linears with a bias take, has another of up to 32 MiB.
 */
function cublasWorkspace(generation: DeviceGeneration | undefined): AllowancePart {
  const each = generation === 'hopper' ? 32 * MiB : generation?.startsWith('cdna') ? 128 * MiB : 8_519_680;
  const lightweight = generation === 'hopper' || generation === 'blackwell' ? 32 * MiB : 4 * MiB;
  return {
    key: 'cublas-workspace',
    label: 'cuBLAS workspaces',
    low: each,
    expected: 2 * each,
    high: 2 * (each + lightweight),
    reason: 'one workspace for each handle and stream: forward and backward have a handle each',
    source: 'torch CublasHandlePool.cpp (default CUBLAS_WORKSPACE_CONFIG) and pytorch #120925',
  };
}

/**
 * Reserved over allocated memory, 60 runs on a T4: fused attention 1.04 to 1.25, mean 1.11; eager 1.07 to 1.49, mean 1.21.
 * What lives for the whole run is laid down first and hardly fragments, so it counts in the upper end only.
 */
function fragmentation({ attention, lastingBytes, passingBytes }: AllowanceInput): AllowancePart {
  const [low, expected, high] = attention === 'eager' ? [0.07, 0.21, 0.49] : [0.04, 0.11, 0.25];
  return {
    key: 'fragmentation',
    label: 'Allocator fragmentation',
    low: Math.round(low * passingBytes),
    expected: Math.round(expected * passingBytes),
    high: Math.round(high * (passingBytes + lastingBytes)),
    reason: `blocks the allocator holds and cannot use, ${Math.round(100 * low)} to ${Math.round(100 * high)} % with ${attention} attention`,
    source: 'reserved over allocated memory of 60 training steps on a Tesla T4 (fitcheck)',
  };
}

/** A ring sends and receives through a buffer of `NCCL_BUFFSIZE` in each channel. */
const ncclBufferBytes = 4 * MiB;

function ncclBuffers(communicators: number): AllowancePart {
  const rings = (channels: number): number => communicators * channels * 2 * ncclBufferBytes;
  return {
    key: 'nccl-buffers',
    label: 'NCCL buffers',
    low: rings(8),
    expected: rings(24),
    high: communicators * 1_600_000_000,
    reason: `${communicators} communicators with 8 to 24 channels of two 4 MiB buffers; up to 1.6 GB each was reported`,
    source: 'NCCL documentation of NCCL_BUFFSIZE; nccl #391, #864 and #1450',
  };
}
