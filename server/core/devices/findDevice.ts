import type { Device } from './device.ts';
import { devices } from './devices.ts';

export interface FoundDevice {
  /** Undefined where no device is meant, or more than one could be. */
  readonly device: Device | undefined;
  /** All that could be meant; empty where none is. */
  readonly candidates: readonly Device[];
}

/**
 * The device that a person, a job script or torch means by `text`: `4090`, `A100-40GB`, `8xH100 SXM`, `NVIDIA A100 80GB PCIe
 * MIG 1g.10gb`. Never guesses: every word must belong to the device, so a 3060 Ti or a laptop's 4090 is not a 3060 or a 4090.
 */
export function findDevice(text: string): FoundDevice {
  const words = wordsOf(text);
  const candidates = words.length === 0 ? [] : devices.filter((device) => isMeant(device, words));
  return { device: candidates.length === 1 ? candidates[0] : undefined, candidates };
}

/** Makers and series, which add nothing to the model's own name. */
const saysNothing = new Set(['nvidia', 'geforce', 'tesla', 'amd', 'instinct', 'gpu', 'gpus', 'mig', 'x']);

/** Lower case, split at separators, without counts (`8xH100`, `A100 x8`) and without makers; `40g` and `40 gb` become `40gb`. */
function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, 200)
    .toLowerCase()
    .trim()
    .replace(/^\d{1,3}\s*x\s*(?=[a-z0-9])/, '')
    .replace(/(?:\s+x\s*|(?<=\d)x)\d{1,3}$/, '')
    .replace(/\b(rtx|gtx)(?=\d)/g, '$1 ')
    .replace(/\b(\d+)\s*(?:gib|gb|g)\b(?!\.)/g, '$1gb')
    .split(/[\s,;:/_()\-–]+/)
    .filter((word) => word !== '' && !saysNothing.has(word));
}

function isMeant(device: Device, words: readonly string[]): boolean {
  const [model = ''] = device.words;
  if (!words.includes(model)) return false;
  if (device.slice !== undefined && !words.includes(device.slice)) return false;
  return words.every(
    (word) =>
      device.words.includes(word) ||
      word === `${device.gigabytes}gb` ||
      word === String(device.gigabytes) ||
      word === device.slice,
  );
}
