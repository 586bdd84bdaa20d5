import { html, type TemplateResult } from 'lit/html.js';
import type { PaperAccount, PytorchAccount, StrategyName } from '../../server/core/budget/account.ts';
import { unitsText } from '../../server/core/report/quantities.ts';
import type { BudgetView } from '../derive.ts';
import { t } from '../l10n.ts';
import { strategyLabel } from '../words.ts';
import { layerBar } from './layerBar.ts';
import { strategyTable } from './strategyTable.ts';

/** Activations alone, for settings of which the rest of the device cannot be counted. */
export function pytorchTable(account: PytorchAccount, { strategy, units }: BudgetView): TemplateResult {
  return html`
    ${strategyTable({
      caption: t('PyTorch account: peak of activations for each strategy'),
      testPrefix: '',
      rows: account.strategies.map((row) => ({
        ...row,
        label: strategyLabel(row.name),
        aside: row.name === 'full' ? `k = ${row.segment}` : '',
      })),
      strategy,
      units,
    })}
    <p class="quiet">${t('What autograd keeps and what is live at the peak. Parameters, gradients and optimizer states come on top.')}</p>`;
}

/** The teaching picture. */
export function paperAccountView(
  account: PaperAccount,
  { strategy, segment, units }: BudgetView,
  width: number,
): TemplateResult {
  return html`
    ${strategyTable({
      caption: t('Paper account: peak of activations for each strategy'),
      testPrefix: 'paper-',
      rows: account.strategies.map((row) => ({
        ...row,
        label: paperLabels()[row.name] ?? row.name,
        aside: `${unitsText(row.units)} A`,
      })),
      strategy,
      units,
    })}
    <p class="quiet">${t('The segment model of Chen et al. 2016: segments of k = {0} layers cost ⌈L/k⌉ + k layers’ worth of A. Always 16-bit, with dropout and unfused attention, whatever the run says.', segment)}</p>
    <h3>${t('One layer, A = 34bsh + 5bs²a')}</h3>
    ${layerBar(
      {
        subject: t('One layer in the paper account'),
        testPrefix: 'paper-',
        parts: account.parts,
        totalBytes: account.layerBytes,
        totalLabel: t('One layer, A'),
        units,
      },
      width,
    )}`;
}

const paperLabels = (): Readonly<Partial<Record<StrategyName, string>>> => ({
  none: t('None'),
  full: t('Full'),
  selective: t('Selective'),
});
