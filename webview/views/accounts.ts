import { html, type TemplateResult } from 'lit/html.js';
import type { PaperAccount, PytorchAccount, StrategyName } from '../../server/core/budget/account.ts';
import { unitsText } from '../../server/core/report/quantities.ts';
import type { BudgetView } from '../derive.ts';
import { notesList } from './emptyState.ts';
import { layerBar } from './layerBar.ts';
import { strategyTable } from './strategyTable.ts';

/** The number to budget with. */
export function pytorchTable(account: PytorchAccount, { budget, mode, units }: BudgetView): TemplateResult {
  return html`
    ${strategyTable({
      caption: 'PyTorch account: peak of activations for each strategy',
      testPrefix: '',
      rows: account.strategies.map((row) => ({ ...row, aside: row.name === 'full' ? `k = ${row.segment}` : '' })),
      mode,
      units,
    })}
    <p class="quiet">What autograd keeps and what is live at the peak. Parameters, gradients and optimizer states come on top; checkpointing does not lower them.</p>
    ${notesList(budget.notes)}`;
}

export const pytorchLayer = (account: PytorchAccount, { units }: BudgetView, width: number): TemplateResult =>
  layerBar(
    {
      subject: 'One layer in the PyTorch account',
      testPrefix: '',
      parts: account.layerParts,
      totalBytes: account.layerBytes,
      totalLabel: 'One layer, A',
      units,
    },
    width,
  );

/** The teaching picture. */
export function paperAccountView(
  account: PaperAccount,
  { mode, segment, units }: BudgetView,
  width: number,
): TemplateResult {
  return html`
    ${strategyTable({
      caption: 'Paper account: peak of activations for each strategy',
      testPrefix: 'paper-',
      rows: account.strategies.map((row) => ({
        ...row,
        label: paperLabels[row.name] ?? row.name,
        aside: `${unitsText(row.units)} A`,
      })),
      mode,
      units,
    })}
    <p class="quiet">The segment model of Chen et al. 2016: segments of k = ${segment} ${segment === 1 ? 'layer' : 'layers'} cost ⌈L/k⌉ + k layers’ worth of A. Always 16-bit, with dropout and unfused attention, whatever the run says.</p>
    <h3>One layer, A = 34bsh + 5bs²a</h3>
    ${layerBar(
      {
        subject: 'One layer in the paper account',
        testPrefix: 'paper-',
        parts: account.parts,
        totalBytes: account.layerBytes,
        totalLabel: 'One layer, A',
        units,
      },
      width,
    )}`;
}

const paperLabels: Readonly<Partial<Record<StrategyName, string>>> = {
  none: 'None',
  full: 'Full',
  selective: 'Selective',
};
