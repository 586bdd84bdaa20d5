import type { Estimate } from './derive.ts';

/** Estimates that are kept: the code's own, which every draw asks for, and those a slider comes back to. */
const nKept = 32;

/** `estimate`, answering what it was asked lately without computing it again. */
export function remember(estimate: Estimate): Estimate {
  const known = new Map<string, ReturnType<Estimate>>();
  return (model, run, segment) => {
    const key = JSON.stringify([model, run, segment]);
    const budget = known.get(key) ?? estimate(model, run, segment);
    // Put in again as the newest, so that what is asked for at every draw never becomes the oldest.
    known.delete(key);
    known.set(key, budget);
    const [oldest] = known.keys();
    if (known.size > nKept && oldest !== undefined) known.delete(oldest);
    return budget;
  };
}
