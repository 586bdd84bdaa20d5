import type { Advice } from '../total/advise.ts';
import type { Assessment } from '../total/assess.ts';
import type { PeakPart } from '../total/peakParts.ts';
import type { Moment } from '../total/totalMemory.ts';
import type { Verdict } from '../total/verdict.ts';
import { bytesText, secondsText, shareText } from './quantities.ts';
import { table } from './table.ts';

/** Everything one device holds at the peak, what checkpointing changes of it, and, where a device is named, whether it fits. */
export function totalText({ now, parts, verdict, strategies, share }: Assessment, advice: Advice | undefined): string {
  const rate = strategies.find(({ extraSeconds }) => extraSeconds !== undefined)?.extraSeconds?.source;
  const header = [
    'checkpointing',
    'expected',
    'from',
    'to',
    'extra of step',
    rate ? 'extra time' : '',
    verdict ? 'fits' : '',
  ];
  const rows = strategies.map(({ name, label, segment, total, extraStep, extraSeconds, verdict: judged }) => [
    name === 'full' ? `full, k = ${segment}` : label,
    bytesText(total.range.expected),
    bytesText(total.range.low),
    bytesText(total.range.high),
    name === 'none' ? '' : shareText(extraStep),
    extraSeconds === undefined || extraSeconds.high === 0 ? '' : secondsText(extraSeconds),
    judged ? outcomes[judged.outcome] : '',
  ]);
  const sections = [
    `One device: everything it holds ${moments[now.peak.phase]}, the peak of a step`,
    table(partRows(parts), [1]),
    ...(verdict ? [`  ${verdictText(verdict)}`] : []),
    ...(share?.sentences ?? []).map((sentence) => `  ${sentence}`),
    '',
    table([header, ...rows], [1, 2, 3, 4, 5]),
    ...(rate ? [`  Extra time of a micro-batch: the work done again at ${rate}`] : []),
    ...(advice ? ['', adviceText(advice)] : []),
  ];
  return sections.join('\n');
}

export function verdictText({ outcome, device, spareBytes }: Verdict): string {
  const spare = bytesText(Math.abs(spareBytes));
  if (outcome === 'fits') return `Fits on ${device.name}, with ${spare} to spare`;
  if (outcome === 'over') return `Does not fit on ${device.name}: ${spare} over`;
  return spareBytes >= 0
    ? `May fit on ${device.name}: ${spare} to spare if the allowance is as expected, less than nothing if it is high`
    : `Probably does not fit on ${device.name}: ${spare} over, unless the allowance stays low`;
}

const outcomes = { fits: 'yes', tight: 'maybe', over: 'no' } as const;

const moments: Readonly<Record<Moment['phase'], string>> = {
  forward: 'in the forward pass',
  loss: 'while the loss is computed',
  replay: 'while a segment is replayed',
  backward: 'in the backward pass',
  step: 'while the optimizer steps',
};

const partRows = (parts: readonly PeakPart[]): readonly (readonly string[])[] =>
  parts.flatMap(({ isLowered, lines }) =>
    lines.map(({ label, bytes, low, high, formula }) => [
      label,
      bytesText(bytes),
      low === undefined || high === undefined
        ? `${formula}${isLowered ? '; what checkpointing lowers' : ''}`
        : `allowance, ${bytesText(low)} to ${bytesText(high)}`,
    ]),
  );

function adviceText({ largest, remedies }: Advice): string {
  const lines = largest.map(({ with: how, batch, sequence, hasSequence }) => {
    const which = how === 'now' ? 'as the code stands' : 'every layer checkpointed';
    const orSequence = hasSequence ? `, or sequence ${sequence ?? 'none'}` : '';
    return `  Largest that fits, ${which}: micro-batch ${batch ?? 'none'}${orSequence}`;
  });
  const rows = remedies.map(({ label, totalBytes, savedBytes, extraStep, verdict }) => [
    label,
    bytesText(totalBytes),
    `saves ${bytesText(savedBytes)}`,
    extraStep > 0 ? `${shareText(extraStep)} more work` : 'no FLOPs again',
    verdict ? outcomes[verdict.outcome] : '',
  ]);
  return [...lines, ...(rows.length > 0 ? ['', 'What would lower it, cheapest first', table(rows, [1])] : [])].join(
    '\n',
  );
}
