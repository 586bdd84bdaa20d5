/** Results that are kept: the code's own, which every draw asks for, and those a slider comes back to. */
const nKept = 32;

/** `compute`, answering what it was asked lately without computing it again. Arguments are compared as JSON. */
export function remember<Arguments extends readonly unknown[], Result>(
  compute: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const known = new Map<string, { readonly result: Result }>();
  return (...given) => {
    const key = JSON.stringify(given);
    const found = known.get(key) ?? { result: compute(...given) };
    // Put in again as the newest, so that what is asked for at every draw never becomes the oldest.
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > nKept && oldest !== undefined) known.delete(oldest);
    return found.result;
  };
}
