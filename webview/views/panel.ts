import { html, type TemplateResult } from 'lit/html.js';
import type { BudgetView, PanelView } from '../derive.ts';
import { paperAccountView, pytorchLayer, pytorchTable } from './accounts.ts';
import type { Actions } from './actions.ts';
import { curveChart } from './curveChart.ts';
import { emptyState, notesList } from './emptyState.ts';
import { headlineView } from './headlineView.ts';
import { modelFacts } from './modelFacts.ts';
import { runSection } from './runSection.ts';
import { type SectionHead, section } from './section.ts';

/** The whole panel; `width` is what its charts may fill, in CSS pixels. */
export function panel(view: PanelView, act: Actions, width: number): TemplateResult {
  return html`
    ${
      view.shown?.stale === true
        ? html`<p class="stale" role="status" data-test="stale">${view.shown.name} does not parse just now; these are its last good values.</p>`
        : ''
    }
    ${view.kind === 'empty' ? emptyState(view.shown) : budgetSections(view, act, width)}`;
}

/** In place of everything else when the panel itself is broken. */
export const failure = (): TemplateResult =>
  html`<p class="stale" role="alert" data-test="failure">The estimate failed. “Checkpoint Lens: Show Log” says why.</p>`;

function budgetSections(view: BudgetView, act: Actions, width: number): TemplateResult {
  const { paper, pytorch, notes } = view.budget;
  const part = (head: SectionHead, content: TemplateResult) => section(head, view.open, act, content);
  const isEstimated = paper.strategies.length > 0;
  return html`
    ${headlineView(view, act)}
    ${notesList([...(view.shown.facts?.notes ?? []), ...(pytorch === undefined ? notes : [])])}
    ${part({ name: 'run', title: 'Run', aside: 'change to try out' }, runSection(view, act))}
    ${
      pytorch === undefined
        ? ''
        : part({ name: 'pytorch', title: 'PyTorch account', aside: 'budget with this' }, pytorchTable(pytorch, view))
    }
    ${
      isEstimated
        ? part({ name: 'curve', title: 'Peak against k', aside: 'layers in a segment' }, curveChart(view, act, width))
        : ''
    }
    ${part({ name: 'model', title: 'Model', aside: 'and where each value is from' }, modelFacts(view, act))}
    ${
      pytorch === undefined
        ? ''
        : part({ name: 'layer', title: 'One layer', aside: 'PyTorch account' }, pytorchLayer(pytorch, view, width))
    }
    ${
      isEstimated
        ? part(
            { name: 'paper', title: 'Paper account', aside: 'the teaching picture' },
            paperAccountView(paper, view, width),
          )
        : ''
    }`;
}
