import { html, type TemplateResult } from 'lit';
import type { BudgetView, PanelView } from '../derive.ts';
import { formatUnits } from '../format.ts';
import type { Actions } from './actions.ts';
import { curveChart } from './curveChart.ts';
import { emptyState, notesList } from './emptyState.ts';
import { headlineView } from './headlineView.ts';
import { layerBar } from './layerBar.ts';
import { modelFacts } from './modelFacts.ts';
import { runSection } from './runSection.ts';
import { section } from './section.ts';
import { strategyTable } from './strategyTable.ts';

/** The whole panel; `width` is what its charts may fill, in CSS pixels. */
export function panel(view: PanelView, act: Actions, width: number): TemplateResult {
  const stale = view.shown?.stale === true;
  return html`
    ${
      stale
        ? html`<p class="stale" role="status" data-test="stale">${view.shown?.name} does not parse just now; these are its last good values.</p>`
        : ''
    }
    ${view.kind === 'empty' ? emptyState(view.shown) : budgetSections(view, act, width)}`;
}

function budgetSections(view: BudgetView, act: Actions, width: number): TemplateResult {
  const { budget, mode, segment, units, open } = view;
  const notes = [...(view.shown.facts?.notes ?? []), ...budget.notes];
  const { paper, pytorch } = budget;
  return html`
    ${headlineView(view, act)}
    ${notesList(notes)}
    ${section({ name: 'run', title: 'Run', aside: 'change to try out' }, open, act, runSection(view, act))}
    ${
      pytorch === undefined
        ? ''
        : section(
            { name: 'strategies', title: 'PyTorch account', aside: 'budget with this' },
            open,
            act,
            html`${strategyTable({
              caption: 'PyTorch account: peak of activations for each strategy',
              testPrefix: '',
              rows: pytorch.strategies.map((row) => ({
                ...row,
                aside: row.name === 'full' ? `k = ${row.segment}` : '',
              })),
              mode,
              units,
            })}
            <p class="quiet">What autograd keeps and what is live at the peak. Parameters, gradients and optimizer states come on top; checkpointing does not lower them.</p>`,
          )
    }
    ${section({ name: 'curve', title: 'Peak against k', aside: 'layers per segment' }, open, act, curveChart(view, act, width))}
    ${section({ name: 'model', title: 'Model', aside: 'and where each value is from' }, open, act, modelFacts(view, act))}
    ${
      pytorch === undefined
        ? ''
        : section(
            { name: 'layer', title: 'One layer', aside: 'PyTorch account' },
            open,
            act,
            layerBar(
              {
                subject: 'One layer in the PyTorch account',
                testPrefix: '',
                parts: pytorch.layerParts,
                totalBytes: pytorch.layerBytes,
                totalLabel: 'One layer, A',
                units,
              },
              width,
            ),
          )
    }
    ${section(
      { name: 'paper', title: 'Paper account', aside: 'the teaching picture' },
      open,
      act,
      html`${strategyTable({
        caption: 'Paper account: peak of activations for each strategy',
        testPrefix: 'paper-',
        rows: paper.strategies.map((row) => ({ ...row, aside: `${formatUnits(row.units)} A` })),
        mode,
        units,
      })}
      <p class="quiet">The segment model of Chen et al. 2016: with segments of k = ${segment} layers, ⌈L/k⌉ + k layers’ worth of A. 16-bit, dropout on, whatever the run says.</p>
      <h3>One layer, A = 34bsh + 5bs²a</h3>
      ${layerBar({ subject: 'One layer in the paper account', testPrefix: 'paper-', parts: paper.parts, totalBytes: paper.layerBytes, totalLabel: 'One layer, A', units }, width)}`,
    )}`;
}
