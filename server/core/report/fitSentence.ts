import type { Verdict } from '../total/verdict.ts';

/** Whether a step fits, in a sentence. `t` translates, and fills `{0}` and `{1}` in. */
export function fitSentence(
  { outcome, spareBytes }: Pick<Verdict, 'outcome' | 'spareBytes'>,
  device: string,
  bytes: (count: number) => string,
  t: (text: string, ...values: readonly string[]) => string,
): string {
  const spare = bytes(Math.abs(spareBytes));
  switch (outcome) {
    case 'fits':
      return t('Fits on {0}, {1} to spare', device, spare);
    case 'over':
      return t('Does not fit on {0}: {1} over', device, spare);
    case 'tight':
      return spareBytes >= 0
        ? t('May fit on {0}: expect {1} to spare', device, spare)
        : t('May not fit on {0}: expect {1} over', device, spare);
  }
}
