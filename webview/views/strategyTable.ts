import { html, svg, type TemplateResult } from 'lit/html.js';
import type { StrategyName } from '../../server/core/budget/account.ts';
import type { ByteUnits } from '../../server/core/report/quantities.ts';
import { formatBytes, formatExactBytes, formatExtra, formatShare } from '../format.ts';
import { t } from '../l10n.ts';

/** What both accounts' rows have in common. */
export interface StrategyRow {
  readonly name: StrategyName;
  /** For people. */
  readonly label: string;
  readonly peakBytes: number;
  readonly saving: number;
  readonly extraForward: number;
  readonly extraStep: number;
  /** Said under the name: `k = 4`, `3 + 4 = 7 A`. */
  readonly aside: string;
}

export interface StrategyTable {
  /** For screen readers. */
  readonly caption: string;
  /** `` for the PyTorch account, `paper-` for the other: the names tests know the cells by. */
  readonly testPrefix: string;
  readonly rows: readonly StrategyRow[];
  /** The strategy in force. */
  readonly strategy: StrategyName | undefined;
  readonly units: ByteUnits;
}

/** None, full and selective side by side, with a thin bar for each peak so that the eye can compare. */
export function strategyTable({ caption, testPrefix, rows, strategy, units }: StrategyTable): TemplateResult {
  const highest = Math.max(...rows.map(({ peakBytes }) => peakBytes), 1);
  return html`
    <table class="strategies">
      <caption class="unseen">${caption}</caption>
      <thead>
        <tr>
          <th scope="col">${t('Strategy')}</th>
          <th scope="col">${t('Peak')}</th>
          <th scope="col" title=${t('Share of the peak without checkpointing')}>${t('Saved')}</th>
          <th scope="col" class="forward" title=${t('Recomputed work, as a share of one forward pass')}>${t('Forward')}</th>
          <th scope="col" title=${t('Extra work in a whole step; backward counts as two forwards')}>${t('Step')}</th>
        </tr>
      </thead>
      ${rows.map((row) => {
        const test = (column: string) => `${testPrefix}${column}-${row.name}`;
        return html`
          <tbody class=${row.name === strategy ? 'now' : ''}>
            <tr>
              <th scope="row">${row.label}<small>${row.name === strategy ? html`<span class="badge">${t('now')}</span> ` : ''}${row.aside}</small></th>
              <td class="strong" data-test=${test('peak')} title=${formatExactBytes(row.peakBytes)}>${formatBytes(row.peakBytes, units)}</td>
              <td data-test=${test('saving')}>${row.name === 'none' ? '–' : formatShare(row.saving)}</td>
              <td class="forward" data-test=${test('extra-forward')}>${row.name === 'none' ? '–' : formatExtra(row.extraForward)}</td>
              <td data-test=${test('extra-step')}>${row.name === 'none' ? '–' : formatExtra(row.extraStep)}</td>
            </tr>
            <tr class="bar" aria-hidden="true">
              <td colspan="5"><svg viewBox="0 0 100 3" preserveAspectRatio="none">
                <rect class="track" width="100" height="3"></rect>
                ${svg`<rect class="fill" width=${(row.peakBytes / highest) * 100} height="3"></rect>`}
              </svg></td>
            </tr>
          </tbody>`;
      })}
    </table>`;
}
