import { html, type TemplateResult } from 'lit/html.js';
import type { PytorchAccount } from '../../server/core/budget/account.ts';
import { type KeptByOperation, type KeptTensors, keptByOperation } from '../../server/core/budget/keptByOperation.ts';
import { type PartKey, partLabels } from '../../server/core/families/family.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { formatBytes, formatExactBytes, formatShare } from '../format.ts';
import { t } from '../l10n.ts';
import { breakable } from './breakable.ts';
import { layerBar } from './layerBar.ts';

/** What autograd keeps of one layer, by part of the layer and by operation. */
export function breakdown(
  account: PytorchAccount,
  whole: Whole | undefined,
  { units }: BudgetView,
  width: number,
): TemplateResult {
  return html`
    ${layerBar(
      {
        subject: t('One layer in the PyTorch account'),
        testPrefix: '',
        parts: account.layerParts,
        totalBytes: account.layerBytes,
        totalLabel: t('One layer, A'),
        units,
      },
      width,
    )}
    ${whole === undefined ? '' : operationTable(keptByOperation(whole.totals.stage), units)}`;
}

function operationTable(rows: readonly KeptByOperation[], units: BudgetView['units']): TemplateResult {
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return html`
    <h3>${t('By operation')}</h3>
    <table class="operations">
      <caption class="unseen">${t('What autograd keeps of one layer for each operation')}</caption>
      <thead><tr><th scope="col">${t('Operation')}</th><th scope="col">${t('Bytes')}</th><th scope="col">${t('Share')}</th></tr></thead>
      ${rows.map(
        ({ operation, part, bytes, tensors }) => html`<tbody>
          <tr>
            <th scope="row"><code>${breakable(operation)}</code> <small>${t(partLabels[part as PartKey] ?? part)}</small></th>
            <td class="strong" title=${formatExactBytes(bytes)}>${formatBytes(bytes, units)}</td>
            <td>${formatShare(total === 0 ? 0 : bytes / total)}</td>
          </tr>
          <tr><td class="kept" colspan="3">${tensors.map(tensorText).join(', ')}</td></tr>
        </tbody>`,
      )}
    </table>
    <p class="quiet">${t('Each storage is counted once, with the operation that keeps it first.')}</p>`;
}

/** `2 × [8×1024×4096] bf16` */
const tensorText = ({ shape, elementType, count }: KeptTensors): string =>
  `${count > 1 ? `${count} × ` : ''}[${shape.join('×')}] ${elementType}`;
