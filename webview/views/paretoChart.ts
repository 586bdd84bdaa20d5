import { html, svg, type TemplateResult } from 'lit/html.js';
import { layoutPareto, type Trade } from '../charts/pareto.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { formatBytes, formatExtra } from '../format.ts';
import { t } from '../l10n.ts';
import { describePlan, nowLabel } from '../words.ts';

const height = 160;

/** Memory against work done again: the best plans there are, where the code is, and the cheapest plan that fits. */
export function paretoChart(whole: Whole, view: BudgetView, width: number): TemplateResult {
  const { units, device } = view;
  const { advice, isPending } = view.advice;
  if (advice === undefined) {
    return html`<p class="quiet">${isPending ? t('Looking for the best plans…') : t('No plans were found.')}</p>`;
  }
  const { pareto, cheapest } = advice;
  const now: Trade = { totalBytes: whole.now.range.expected, extraStep: whole.extraStep };
  const marks = [{ key: 'now', ...now }, ...(cheapest === undefined ? [] : [{ key: 'cheapest', ...cheapest }])];
  const chart = layoutPareto(pareto, marks, device?.memoryBytes, { width, height }, units);
  const { left, right, top, bottom } = chart.plot;
  const bytes = (count: number): string => formatBytes(count, units);
  const words = ({ totalBytes, extraStep }: Trade): string =>
    t('{0}, {1} work in a step', bytes(totalBytes), formatExtra(extraStep));
  const spoken = [
    t('Total memory against extra work, {0} plans.', pareto.length),
    `${nowLabel(view)}: ${words(now)}.`,
    ...(cheapest === undefined ? [] : [t('Cheapest that fits: {0}.', words(cheapest))]),
  ];
  return html`
    <div class=${isPending ? 'pending' : ''} aria-busy=${isPending ? 'true' : 'false'}>
    <svg class="pareto" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" data-test="pareto" aria-label=${spoken.join(' ')}>
      ${chart.yTicks.map(
        ({ bytes: count, at }) => svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at}></line>
          <text class="tick" x=${left - 6} y=${at + 3.5} text-anchor="end">${count === 0 ? '0' : bytes(count)}</text>`,
      )}
      ${chart.xTicks.map(({ share, at }) => svg`<text class="tick" x=${at} y=${bottom + 14} text-anchor="middle">${formatExtra(share)}</text>`)}
      ${chart.limitY === undefined ? '' : svg`<line class="limit" x1=${left} x2=${right} y1=${chart.limitY} y2=${chart.limitY}></line>`}
      <path class="line first" d=${chart.path}></path>
      ${chart.points.map(({ x, y }, at) => svg`<circle class="dot first" cx=${x} cy=${y} r="2"><title>${title(at)}</title></circle>`)}
      ${chart.marks.map(
        ({ key, x, y }) =>
          svg`<circle class="mark-${key}" cx=${x} cy=${Math.max(top, y)} r=${key === 'now' ? 4 : 6}><title>${key === 'now' ? nowLabel(view) : t('Cheapest that fits')}</title></circle>`,
      )}
    </svg>
    <ul class="legend peaks">
      <li><svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><circle class="mark-now" cx="5" cy="5" r="4"></circle></svg>
        <span class="label">${nowLabel(view)}</span><span class="value">${bytes(now.totalBytes)}</span><span class="share">${formatExtra(now.extraStep)}</span></li>
      ${
        cheapest === undefined
          ? ''
          : html`<li><svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><circle class="mark-cheapest" cx="5" cy="5" r="4"></circle></svg>
        <span class="label">${t('Cheapest that fits')}</span><span class="value" data-test="cheapest">${bytes(cheapest.totalBytes)}</span><span class="share">${formatExtra(cheapest.extraStep)}</span></li>`
      }
    </ul>
    ${
      cheapest === undefined
        ? html`<p class="quiet">${device === undefined ? t('Choose a device to see the cheapest plan that fits.') : t('No plan of checkpointing alone fits.')}</p>`
        : html`<p class="quiet">${t(
            'Of {0} layers: {1}.',
            cheapest.plan.reduce((sum, { layers }) => sum + layers, 0),
            describePlan(cheapest.plan),
          )}</p>`
    }
    </div>`;

  function title(at: number): string {
    const point = pareto[at];
    return point === undefined ? '' : `${words(point)}: ${describePlan(point.plan)}`;
  }
}
