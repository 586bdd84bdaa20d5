import { html, svg, type TemplateResult } from 'lit/html.js';
import { type CurveLine, layoutCurve, type Series } from '../charts/curve.ts';
import type { BudgetView } from '../derive.ts';
import { formatShare } from '../format.ts';
import { t } from '../l10n.ts';
import { curveReason } from '../verdict.ts';
import { segmentTried } from '../whatIf.ts';
import type { Actions } from './actions.ts';

const height = 150;

/** Peak against segment length for both accounts, each as a share of its own peak without checkpointing. */
export function curveChart(view: BudgetView, act: Actions, width: number): TemplateResult {
  const curve = layoutCurve(curveSeries(view), view.segment, { width, height });
  const { left, right, top, bottom } = curve.plot;
  const onPointer = (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    act.tryOut(segmentTried(curve.segmentAt(event.clientX - box.left), view.strategy));
  };
  const paperBest = curve.lines.find(({ key }) => key === 'paper')?.best.segment;
  const reason = curveReason(view, paperBest);
  return html`
    <p class="axis">${t('Peak of activations, as % of the same account’s peak without checkpointing')}</p>
    <svg class="curve" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${spoken(curve.lines)}
      @pointerdown=${onPointer} @pointermove=${onPointer}>
      ${curve.yTicks.map(
        ({ label, at }) => svg`
          <line class="grid" x1=${left} x2=${right} y1=${at} y2=${at}></line>
          <text class="tick" x=${left - 6} y=${at + 3.5} text-anchor="end">${label}</text>`,
      )}
      ${curve.xTicks.map(({ label, at }) => svg`<text class="tick" x=${at} y=${bottom + 14} text-anchor="middle">${label}</text>`)}
      <text class="tick" x=${left - 12} y=${bottom + 14} text-anchor="end">k</text>
      <line class="current" x1=${curve.currentX} x2=${curve.currentX} y1=${top} y2=${bottom}></line>
      ${curve.lines.map(
        ({ key, path, current, best }) => svg`
          <path class="line ${key}" d=${path}></path>
          <circle class="best ${key}" cx=${best.x} cy=${best.y} r="5.5"><title>${t('Lowest: k = {0}, {1}', best.segment, formatShare(best.value))}</title></circle>
          <circle class="dot ${key}" cx=${current.x} cy=${current.y} r="3"><title>k = ${current.segment}: ${formatShare(current.value)}</title></circle>`,
      )}
    </svg>
    <table class="legend-table">
      <thead><tr><th scope="col">${t('Account')}</th><th scope="col">k = ${view.segment}</th><th scope="col">${t('lowest')}</th></tr></thead>
      <tbody>${curve.lines.map((line) => legendRow(line, view, act))}</tbody>
    </table>
    <p class="quiet" data-test="curve-reason">${reason}</p>`;
}

function curveSeries({ budget, paperUnits }: BudgetView): readonly Series[] {
  const layers = paperUnits.length;
  const paper = layers === 0 ? [] : [{ key: 'paper', values: paperUnits.map((units) => units / layers) }];
  const account = budget.pytorch;
  const none = account?.strategies.find(({ name }) => name === 'none')?.peakBytes;
  if (account === undefined || none === undefined) return paper;
  return [{ key: 'pytorch', values: account.peaksBySegment.map((bytes) => bytes / none) }, ...paper];
}

const legendRow = ({ key, current, best }: CurveLine, { strategy }: BudgetView, act: Actions): TemplateResult => html`
  <tr>
    <th scope="row"><svg class="swatch wide" viewBox="0 0 18 10" aria-hidden="true"><path class="line ${key}" d="M0 5H18"></path></svg>
      ${accountNames[key]}</th>
    <td data-test="curve-current-${key}">${formatShare(current.value)}</td>
    <td>${formatShare(best.value)} <span class="at">${t('at')}</span> <button class="link" data-test="best-segment-${key}" title=${t('Try k = {0}', best.segment)}
      @click=${() => act.tryOut(segmentTried(best.segment, strategy))}>k = ${best.segment}</button></td>
  </tr>`;

const accountNames: Readonly<Record<string, string>> = { pytorch: 'PyTorch', paper: 'Paper' };

const spoken = (lines: readonly CurveLine[]): string =>
  [
    t('Peak against segment length k, as a share of the peak without checkpointing.'),
    ...lines.map(({ key, current, best }) =>
      t(
        '{0}: {1} at k = {2}, lowest {3} at k = {4}.',
        accountNames[key] ?? key,
        formatShare(current.value),
        current.segment,
        formatShare(best.value),
        best.segment,
      ),
    ),
  ].join(' ');
