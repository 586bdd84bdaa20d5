import { html, type TemplateResult } from 'lit/html.js';
import { problemText } from '../../server/core/states/problems.ts';
import type { BudgetView, EmptyView, PanelView, Whole } from '../derive.ts';
import { t } from '../l10n.ts';
import { hasUnequalLayers } from '../modelKind.ts';
import { paperAccountView, pytorchTable } from './accounts.ts';
import type { Actions } from './actions.ts';
import { breakdown } from './breakdown.ts';
import { copyRow } from './copyRow.ts';
import { curveChart } from './curveChart.ts';
import { emptyState, notesList } from './emptyState.ts';
import { memoryBar } from './memoryBar.ts';
import { paretoChart } from './paretoChart.ts';
import { isNoneEnough, remediesView } from './remedies.ts';
import { runPicker } from './runPicker.ts';
import { runSection } from './runSection.ts';
import { type SectionHead, section } from './section.ts';
import { sources } from './sources.ts';
import { timelineChart } from './timelineChart.ts';
import { totalTable } from './totalTable.ts';
import { verdictHeader } from './verdictHeader.ts';

/** What becomes of a section in one drawing. One that is kept must have been drawn before as it is open now. */
export type Treatment = 'draw' | 'keep' | 'leave out';

/** The whole panel; `width` is what its charts may fill, in CSS pixels. */
export function panel(
  view: PanelView,
  act: Actions,
  width: number,
  treat: (section: string) => Treatment,
): TemplateResult {
  return html`
    ${progress(view, act)}
    ${
      view.shown?.stale === true
        ? html`<p class="stale" role="status" data-test="stale">${t('{0} does not parse just now; these are its last good values.', view.shown.name)}</p>`
        : ''
    }
    ${runPicker(view.shown, act)}
    ${view.kind === 'empty' ? (isOnItsWay(view) ? '' : emptyState(view, act)) : budgetSections(view, act, width, treat)}`;
}

/** Before the extension has said anything. */
export const waiting = (): TemplateResult =>
  html`<p class="quiet waiting" role="status" data-test="waiting">${t('Waiting for the extension…')}</p>`;

/** In place of everything else when the panel itself is broken. */
export const failure = (act: Actions): TemplateResult =>
  html`<p class="stale" role="alert" data-test="failure">${t('The estimate failed.')}
    <button class="link" @click=${act.showLog}>${t('Show Log')}</button></p>`;

/** Says so when what is shown will not change any more, or is only on its way. */
function progress(view: PanelView, act: Actions): TemplateResult | string {
  const { server, shown } = view;
  if (server === 'stopped') {
    return html`<p class="stale" role="alert" data-test="server-stopped">${
      shown === undefined
        ? t('The language server is not running.')
        : t('The language server is not running; this is what it said last.')
    } <button class="link" data-test="restart-server" @click=${act.restartServer}>${t('Restart')}</button>
      <button class="link" @click=${act.showLog}>${t('Show Log')}</button></p>`;
  }
  if (view.kind !== 'empty' || !isOnItsWay(view)) return '';
  return html`<p class="quiet waiting" role="status" data-test="on-its-way">${
    view.awaited === undefined ? t('The language server is starting…') : t('Reading {0}…', view.awaited)
  }</p>`;
}

/** Nothing is known yet, which is not the same as that there is nothing. */
const isOnItsWay = ({ server, shown, awaited }: EmptyView): boolean =>
  shown === undefined && server !== 'stopped' && (server === 'starting' || awaited !== undefined);

/** The account looks at the second layer, as the first may differ from all others. */
const ofWhich = (view: BudgetView): string =>
  hasUnequalLayers(view) ? t('the second of {0} blocks', view.model.layers.value) : t('what autograd keeps');

/** What already fits can still be lowered, for a larger batch; what no change makes fit can be brought nearer. */
const fitTitle = ({ verdict }: Whole, view: BudgetView): string =>
  verdict === undefined || verdict.outcome === 'fits' || isNoneEnough(view)
    ? t('What would lower it')
    : t('What would make it fit');

function budgetSections(
  view: BudgetView,
  act: Actions,
  width: number,
  treat: (section: string) => Treatment,
): TemplateResult {
  const { whole, problems, budget } = view;
  const { paper, pytorch, notes } = budget;
  const part = (head: SectionHead, content: () => TemplateResult): TemplateResult | string => {
    const treatment = treat(head.name);
    return treatment === 'leave out' ? '' : section(head, view.open, treatment === 'draw', act, content);
  };
  const hasPaper = paper.strategies.length > 0;
  return html`
    ${verdictHeader(view, act)}
    ${notesList([...(view.shown.facts?.notes ?? []), ...(pytorch === undefined ? notes : []), ...problems.map(problemText)])}
    ${
      whole === undefined
        ? ''
        : part({ name: 'memory', title: t('Memory'), aside: t('on the device, at the peak') }, () =>
            memoryBar(whole, view, act, width),
          )
    }
    ${part({ name: 'run', title: t('Run'), aside: t('change to try out') }, () => runSection(view, act))}
    ${
      whole !== undefined
        ? part({ name: 'strategies', title: t('Strategies'), aside: t('choose one to try it') }, () =>
            totalTable(whole, view, act),
          )
        : pytorch === undefined
          ? ''
          : part({ name: 'pytorch', title: t('Strategies'), aside: t('activations alone') }, () =>
              pytorchTable(pytorch, view),
            )
    }
    ${
      whole === undefined
        ? ''
        : html`${part({ name: 'fit', title: fitTitle(whole, view), aside: t('cheapest first') }, () => remediesView(whole, view, act))}
          ${part({ name: 'timeline', title: t('One step'), aside: t('memory over time') }, () => timelineChart(whole, view, act, width))}
          ${part({ name: 'pareto', title: t('Memory against work'), aside: t('the best plans') }, () => paretoChart(whole, view, width))}`
    }
    ${hasPaper || pytorch !== undefined ? part({ name: 'curve', title: t('Peak against k'), aside: t('layers in a segment') }, () => curveChart(view, act, width)) : ''}
    ${
      pytorch === undefined
        ? ''
        : part({ name: 'layer', title: t('One layer'), aside: ofWhich(view), startsClosed: true }, () =>
            breakdown(pytorch, whole, view, width),
          )
    }
    ${part({ name: 'sources', title: t('Sources'), aside: t('where each value is from'), startsClosed: true }, () => sources(view, act))}
    ${
      hasPaper
        ? part({ name: 'paper', title: t('Paper account'), aside: t('the teaching picture'), startsClosed: true }, () =>
            paperAccountView(paper, view, width),
          )
        : ''
    }
    ${copyRow(whole !== undefined, act)}`;
}
