import { amd } from './amd.ts';
import type { Device } from './device.ts';
import { migSlices } from './migSlices.ts';
import { nvidiaRecentServers } from './nvidiaRecentServers.ts';
import { nvidiaServers } from './nvidiaServers.ts';
import { nvidiaWorkstation } from './nvidiaWorkstation.ts';

/** Every device the budget knows. TPUs and Gaudi are left out: what torch reports on them was found nowhere. */
export const devices: readonly Device[] = [
  ...nvidiaServers,
  ...nvidiaRecentServers,
  ...nvidiaWorkstation,
  ...amd,
  ...migSlices,
];

/** A device of which only the memory is known, from 64 MiB to 16 TiB; undefined for anything else. */
export function customDevice(memoryBytes: number): Device | undefined {
  if (!Number.isSafeInteger(memoryBytes) || memoryBytes < 2 ** 26 || memoryBytes > 2 ** 44) return undefined;
  return {
    id: 'custom',
    name: 'Custom memory',
    generation: undefined,
    memoryBytes,
    memorySource: 'chosen',
    peakFlops: {},
    words: [],
    gigabytes: Math.round(memoryBytes / 1e9),
  };
}
