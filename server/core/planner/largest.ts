/**
 * The largest whole number from 1 to `most` that fits, where everything smaller than a number that fits does too (memory
 * grows with the batch and with the sequence); undefined where not even 1 fits.
 */
export function largestThatFits(fits: (count: number) => boolean, most: number): number | undefined {
  if (!fits(1)) return undefined;
  let good = 1;
  let bad = most + 1;
  while (good * 2 < bad && fits(good * 2)) good *= 2;
  if (good * 2 < bad) bad = good * 2;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
