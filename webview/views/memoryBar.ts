import { html, svg, type TemplateResult } from 'lit/html.js';
import type { PeakLine, PeakPart } from '../../server/core/total/peakParts.ts';
import { layoutStack } from '../charts/stack.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { deviceOf } from '../deviceName.ts';
import { formatBytes, formatExactBytes, formatShare, keepTogether } from '../format.ts';
import { t } from '../l10n.ts';
import { momentInWords } from '../words.ts';
import type { Actions } from './actions.ts';

const height = 18;

/** Everything the device holds at the peak, as one bar; each part opens what it is made of, its formula and its source. */
export function memoryBar(whole: Whole, view: BudgetView, act: Actions, width: number): TemplateResult {
  const { units, device, open } = view;
  const { now, parts, share } = whole;
  const total = now.range.expected;
  const scale = Math.max(total, device?.memoryBytes ?? 0);
  const boxes = layoutStack(parts, (width * total) / scale);
  const lowered = boxes.filter(({ isLowered }) => isLowered);
  const from = lowered[0]?.x ?? 0;
  const to = (lowered.at(-1)?.x ?? 0) + (lowered.at(-1)?.width ?? 0);
  const bytes = (count: number): string => formatBytes(count, units);
  const spoken = boxes.map((box) => `${t(box.label)} ${bytes(box.bytes)}, ${formatShare(box.share)}`);
  const deviceX = device === undefined ? undefined : (width * device.memoryBytes) / scale;
  return html`
    <svg class="stack memory" viewBox="0 0 ${width} ${height + 8}" width=${width} height=${height + 8} role="img"
      aria-label="${t('Memory at the peak, {0}', momentInWords(now.peak.phase))}: ${spoken.join('; ')}.">
      ${svg`<rect class="track" width=${width} height=${height}></rect>`}
      ${boxes.map(
        (box) => svg`<rect class="part memory-${box.key}" x=${box.x} width=${box.width} height=${height}>
          <title>${t(box.label)}: ${bytes(box.bytes)}, ${formatShare(box.share)}</title></rect>`,
      )}
      ${lowered.length === 0 ? '' : svg`<path class="bracket" d="M${from + 0.5} ${height + 2}v4H${Math.max(from + 1, to - 0.5)}v-4"></path>`}
      ${deviceX === undefined ? '' : svg`<path class="limit" d="M${Math.min(deviceX, width - 0.5)} 0V${height}"><title>${deviceOf(device as NonNullable<typeof device>, units)}</title></path>`}
    </svg>
    <p class="quiet lowerable" data-test="lowerable">${lowerable(lowered.length > 0, share?.freeableBytes ?? 0, bytes)}</p>
    <ul class="parts">${boxes.map((box) => partRow(box, box.share, `part ${box.key}`, open, act, bytes))}</ul>
    <p class="sum"><span>${t('Expected total')}</span><span title=${formatExactBytes(total)}>${bytes(total)}</span></p>
    ${notes(whole, bytes)}`;
}

function lowerable(isThere: boolean, freeableBytes: number, bytes: (count: number) => string): TemplateResult | string {
  if (!isThere) return t('No part of this peak is one that checkpointing can lower.');
  return html`<svg class="swatch wide" viewBox="0 0 18 10" aria-hidden="true"><path class="bracket" d="M0.5 3v4H17.5v-4"></path></svg>${
    freeableBytes > 0
      ? t('Checkpointing can lower this part, the peak by {0} at most.', bytes(freeableBytes))
      : t('Checkpointing works on this part, and no strategy makes the peak lower.')
  }`;
}

function partRow(
  part: PeakPart,
  share: number,
  name: string,
  open: BudgetView['open'],
  act: Actions,
  bytes: (count: number) => string,
): TemplateResult {
  const isOpen = open[name] ?? false;
  const onToggle = (event: Event) => {
    const now = (event.currentTarget as HTMLDetailsElement).open;
    if (now !== isOpen) act.setOpen(name, now);
  };
  return html`
    <li><details ?open=${isOpen} @toggle=${onToggle} data-test="whole-${part.key}">
      <summary>
        <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">${svg`<rect class="part memory-${part.key}" width="10" height="10"></rect>`}</svg>
        <span class="label">${t(part.label)}</span>
        <span class="value" title=${formatExactBytes(part.bytes)}>${bytes(part.bytes)}</span>
        <span class="share">${formatShare(share)}</span>
      </summary>
      ${isOpen ? part.lines.map((line) => partLine(line, bytes)) : ''}
    </details></li>`;
}

const partLine = (
  { label, bytes: count, formula, source, low, high }: PeakLine,
  bytes: (count: number) => string,
): TemplateResult => html`
  <div class="made-of">
    <p class="strong">${t(label)} <span>${bytes(count)}</span>${low === undefined || high === undefined ? '' : html` <span class="quiet">${t('{0} to {1}', bytes(low), bytes(high))}</span>`}</p>
    <p>${formula}</p>
    <p class="quiet">${t('Source: {0}', source)}</p>
  </div>`;

function notes({ now, share }: Whole, bytes: (count: number) => string): TemplateResult {
  const sentences = [
    ...(share?.sentences ?? []),
    ...now.notes,
    ...(now.hostBytes > 0 ? [t('{0} more lie in host memory', bytes(now.hostBytes))] : []),
  ];
  return html`${sentences.map((sentence) => html`<p class="quiet">${keepTogether(sentence)}.</p>`)}`;
}
