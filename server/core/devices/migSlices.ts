import { type Device, GiB, type PeakFlops } from './device.ts';
import { nvidiaRecentServers } from './nvidiaRecentServers.ts';
import { nvidiaServers } from './nvidiaServers.ts';

interface Profile {
  readonly name: string;
  /** GiB as `nvidia-smi mig -lgip` prints it, which is what torch then reports (checked on 1g.5gb and 1g.10gb). */
  readonly gibibytes: number;
  readonly multiprocessors: number;
}

interface Sliced {
  /** Ids of the whole devices. */
  readonly device: string;
  readonly multiprocessors: number;
  readonly profiles: readonly Profile[];
}

const profile = (name: string, gibibytes: number, multiprocessors: number): Profile => ({
  name,
  gibibytes,
  multiprocessors,
});

const sliced: readonly Sliced[] = [
  {
    device: 'a100-40gb',
    multiprocessors: 108,
    profiles: [
      profile('1g.5gb', 4.75, 14),
      profile('1g.10gb', 9.75, 14),
      profile('2g.10gb', 9.75, 28),
      profile('3g.20gb', 19.62, 42),
      profile('4g.20gb', 19.62, 56),
      profile('7g.40gb', 39.38, 98),
    ],
  },
  {
    device: 'a100-80gb',
    multiprocessors: 108,
    profiles: [
      profile('1g.10gb', 9.5, 14),
      profile('1g.20gb', 19.5, 14),
      profile('2g.20gb', 19.5, 28),
      profile('3g.40gb', 39.25, 42),
      profile('4g.40gb', 39.25, 56),
      profile('7g.80gb', 79, 98),
    ],
  },
  {
    device: 'h100-sxm',
    multiprocessors: 132,
    profiles: [
      profile('1g.10gb', 9.75, 16),
      profile('1g.20gb', 19.62, 26),
      profile('2g.20gb', 19.62, 32),
      profile('3g.40gb', 39.5, 60),
      profile('4g.40gb', 39.5, 64),
      profile('7g.80gb', 79.25, 132),
    ],
  },
  {
    device: 'h200',
    multiprocessors: 132,
    profiles: [profile('1g.18gb', 16, 16), profile('2g.35gb', 32.5, 32)],
  },
];

/** MIG slices of A100, H100 and H200. Their rates are their share of the multiprocessors. */
export const migSlices: readonly Device[] = sliced.flatMap(({ device, multiprocessors, profiles }) => {
  const whole = [...nvidiaServers, ...nvidiaRecentServers].find(({ id }) => id === device);
  if (whole === undefined) return [];
  return profiles.map((each): Device => {
    const share = each.multiprocessors / multiprocessors;
    const { memoryBandwidth: _, peerLink: __, ...kept } = whole;
    return {
      ...kept,
      id: `${device}-${each.name}`,
      name: `${whole.name}, MIG ${each.name}`,
      // The largest slice is printed a little larger than torch reports the whole device.
      memoryBytes: Math.min(whole.memoryBytes, Math.floor(each.gibibytes * GiB)),
      memorySource: `nvidia-smi mig -lgip: ${each.gibibytes} GiB`,
      peakFlops: shareOf(whole.peakFlops, share),
      ratesSource: `${whole.ratesSource}; ${each.multiprocessors} of ${multiprocessors} multiprocessors`,
      slice: each.name,
    };
  });
});

function shareOf(rates: PeakFlops, share: number): PeakFlops {
  const entries = Object.entries(rates) as readonly (readonly [keyof PeakFlops, number])[];
  return Object.fromEntries(entries.map(([type, rate]) => [type, rate * share]));
}
