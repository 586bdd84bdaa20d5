import { allowanceParts } from '../../../server/core/states/allowance.ts';

/** What a Tesla T4 takes beside tensors, as the product states it: the same for every row measured on one. In bytes. */
export function turingAllowance(lastingBytes: number, passingBytes: number, attention: 'eager' | 'fused') {
  const { parts } = allowanceParts({ generation: 'turing', lastingBytes, passingBytes, attention, communicators: 0 });
  const expected = (key: string): number => parts.find((part) => part.key === key)?.expected ?? 0;
  return {
    /** Lies in the allocator, so that `max_memory_allocated` counts it. */
    workspaceBytes: expected('cublas-workspace'),
    fragmentationBytes: expected('fragmentation'),
    contextBytes: expected('cuda-context'),
  };
}
