import { html, svg, type TemplateResult } from 'lit/html.js';
import type { Part } from '../../server/core/budget/account.ts';
import type { ByteUnits } from '../../server/core/report/quantities.ts';
import { layoutStack } from '../charts/stack.ts';
import { formatBytes, formatExactBytes, formatShare } from '../format.ts';
import { t } from '../l10n.ts';

export interface LayerBar {
  /** Begins the sentence screen readers say. */
  readonly subject: string;
  readonly testPrefix: string;
  readonly parts: readonly Part[];
  readonly totalBytes: number;
  readonly totalLabel: string;
  readonly units: ByteUnits;
}

const height = 14;

/** What one layer keeps, as a stacked bar; the legend is in the order of the boxes and carries every value. */
export function layerBar(
  { subject, testPrefix, parts, totalBytes, totalLabel, units }: LayerBar,
  width: number,
): TemplateResult {
  const boxes = layoutStack(parts, width);
  const spoken = boxes.map((box) => `${t(box.label)} ${formatBytes(box.bytes, units)}, ${formatShare(box.share)}`);
  return html`
    <svg class="stack" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label="${subject}: ${spoken.join('; ')}.">
      ${boxes.map(
        (box) => svg`<rect class="part part-${box.colour}" x=${box.x} width=${box.width} height=${height}>
          <title>${t(box.label)}: ${formatBytes(box.bytes, units)}, ${formatShare(box.share)}</title></rect>`,
      )}
    </svg>
    <ul class="legend">
      ${boxes.map(
        (box) => html`<li>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">${svg`<rect class="part part-${box.colour}" width="10" height="10"></rect>`}</svg>
          <span class="label">${t(box.label)}</span>
          <span class="value" data-test="${testPrefix}part-${box.key}" title=${formatExactBytes(box.bytes)}>${formatBytes(box.bytes, units)}</span>
          <span class="share">${formatShare(box.share)}</span>
        </li>`,
      )}
      <li class="total">
        <span class="label">${totalLabel}</span>
        <span class="value" data-test="${testPrefix}layer-total" title=${formatExactBytes(totalBytes)}>${formatBytes(totalBytes, units)}</span>
        <span class="share"></span>
      </li>
    </ul>`;
}
