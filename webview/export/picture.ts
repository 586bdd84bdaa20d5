import { layoutStack } from '../charts/stack.ts';
import { layoutTimeline } from '../charts/timeline.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { formatBytes, formatShare } from '../format.ts';
import { t } from '../l10n.ts';
import { headline } from '../verdict.ts';
import { momentInWords } from '../words.ts';

/** Colours of a picture, which has no theme to take them from. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  readonly quiet: string;
  /** By key of a part of the peak, and `line` for the timeline. */
  readonly of: (key: string) => string;
}

const width = 640;
const padding = 20;
const inner = width - 2 * padding;
const barHeight = 22;
const chartHeight = 150;

/** The verdict, what the memory is made of and how it goes through a step: a picture that stands for itself, as SVG. */
export function panelPicture(whole: Whole, view: BudgetView, palette: Palette): string {
  const { units, model, device } = view;
  const { verdict, how } = headline(view);
  const { parts } = whole;
  const boxes = layoutStack(parts, inner);
  const rows = Math.ceil(boxes.length / 2);
  const legendTop = 118;
  const chartTop = legendTop + rows * 20 + 26;
  const height = chartTop + chartHeight + padding;
  const text = (x: number, y: number, content: string, more = ''): string =>
    `<text x="${x}" y="${y}" fill="${palette.foreground}" ${more}>${escaped(content)}</text>`;
  const small = `font-size="12" style="fill:${palette.quiet}"`;
  const legend = boxes.map((box, at) => {
    const x = padding + (at % 2) * (inner / 2);
    const y = legendTop + Math.floor(at / 2) * 20;
    return `<rect x="${x}" y="${y - 10}" width="10" height="10" fill="${palette.of(box.key)}"/>${text(
      x + 16,
      y,
      `${t(box.label)}: ${formatBytes(box.bytes, units)} (${formatShare(box.share)})`,
      'font-size="12"',
    )}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${palette.background}"/>`,
    text(padding, 32, verdict, 'font-size="18" font-weight="600"'),
    text(padding, 54, `${model.name.value} · ${how} · ${t('peak {0}', momentInWords(whole.now.peak.phase))}`, small),
    ...boxes.map(
      (box) =>
        `<rect x="${padding + box.x}" y="70" width="${Math.max(0, box.width - 1)}" height="${barHeight}" fill="${palette.of(box.key)}"/>`,
    ),
    ...legend,
    `<g transform="translate(${padding} ${chartTop})">${timeline(whole, view, palette, device?.memoryBytes)}</g>`,
    '</svg>',
  ].join('\n');
}

function timeline(whole: Whole, { units }: BudgetView, palette: Palette, limitBytes: number | undefined): string {
  const chart = layoutTimeline(
    [{ key: 'now', moments: whole.now.moments }],
    limitBytes,
    { width: inner, height: chartHeight },
    units,
  );
  const { left, right } = chart.plot;
  const label = `font-size="11" fill="${palette.quiet}"`;
  return [
    ...chart.ticks.map(
      ({ bytes, at }) =>
        `<path d="M${left} ${at}H${right}" stroke="${palette.quiet}" stroke-opacity="0.3"/><text x="${left - 6}" y="${at + 4}" text-anchor="end" ${label}>${bytes === 0 ? '0' : escaped(formatBytes(bytes, units))}</text>`,
    ),
    ...chart.phases.map(
      ({ phase, from, to }) =>
        `<text x="${(from + to) / 2}" y="${chart.plot.bottom + 14}" text-anchor="middle" ${label}>${phase}</text>`,
    ),
    ...(chart.limitY === undefined
      ? []
      : [`<path d="M${left} ${chart.limitY}H${right}" stroke="${palette.foreground}" stroke-dasharray="3 3"/>`]),
    ...chart.lines.map(({ path }) => `<path d="${path}" fill="none" stroke="${palette.of('line')}" stroke-width="2"/>`),
  ].join('\n');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
