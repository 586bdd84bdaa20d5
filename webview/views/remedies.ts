import { html, type TemplateResult } from 'lit/html.js';
import type { Advice, Largest, Remedy } from '../../server/core/total/advise.ts';
import { whenNotToCheckpoint } from '../../server/core/total/whenNot.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { afterColon, formatBytes, formatCount, formatExactBytes, formatExtra, keepTogether } from '../format.ts';
import { t } from '../l10n.ts';
import { headline } from '../verdict.ts';
import { valuesInCode, type WhatIf } from '../whatIf.ts';
import type { Actions } from './actions.ts';

/** What would make it fit or leave more room, cheapest first, and how far one could go. */
export function remediesView(whole: Whole, view: BudgetView, act: Actions): TemplateResult {
  const { advice, isPending } = view.advice;
  return html`
    ${triedLine(view, act)}
    ${
      advice === undefined
        ? html`<p class="quiet" data-test="advice-pending">${isPending ? t('Looking for what would help…') : t('Nothing was found that would help.')}</p>`
        : html`<div class=${isPending ? 'pending' : ''} aria-busy=${isPending ? 'true' : 'false'}>${remedyTable(advice.remedies, whole.verdict?.outcome === 'fits', view, act)}${largestView(advice, view, act)}</div>`
    }
    ${whenNot(whole, view)}`;
}

/** What was tried here is said at the top of the panel, which is out of sight from here. */
function triedLine(view: BudgetView, act: Actions): TemplateResult | string {
  if (view.changed.size === 0) return '';
  return html`<p class="lead" data-test="tried">${t('With your changes: {0}.', afterColon(headline(view).verdict))}
    ${view.canUndo ? html`<button class="link" @click=${act.undo}>${t('Undo')}</button>` : ''}</p>`;
}

/** A device is chosen, it is known what would help, and no single change would be enough. */
export const isNoneEnough = ({ device, advice: { advice } }: BudgetView): boolean =>
  device !== undefined &&
  advice !== undefined &&
  advice.remedies.length > 0 &&
  advice.remedies.every(({ verdict }) => verdict?.outcome !== 'fits');

function remedyTable(remedies: readonly Remedy[], fitsNow: boolean, view: BudgetView, act: Actions): TemplateResult {
  if (remedies.length === 0) return html`<p class="quiet">${t('Nothing that is known lowers it further.')}</p>`;
  const bytes = (count: number): string => formatBytes(count, view.units);
  return html`
    ${!fitsNow && isNoneEnough(view) ? html`<p class="lead quiet" data-test="none-enough">${t('None of these alone makes it fit. Try one: the list then shows what helps beside it.')}</p>` : ''}
    <table class="remedies">
      <caption class="unseen">${t('What would lower the memory, cheapest first')}</caption>
      <thead><tr>
        <th scope="col">${t('Change')}</th><th scope="col">${t('Total')}</th><th scope="col">${t('Saves')}</th><th scope="col">${t('Step')}</th>
      </tr></thead>
      <tbody>${remedies.map((remedy) => {
        const change = whatIfOfRemedy(remedy, view);
        return html`<tr data-test="remedy-${remedy.key}">
          <th scope="row">${
            change === undefined
              ? t(remedy.label)
              : html`<button class="link" title=${t('Try it out')} @click=${() => act.tryOut(change)}>${t(remedy.label)}</button>`
          }${remedy.verdict?.outcome === 'fits' && !fitsNow ? html` <span class="badge">${t('fits')}</span>` : ''}</th>
          <td class="strong" title=${formatExactBytes(remedy.totalBytes)}>${bytes(remedy.totalBytes)}</td>
          <td>${bytes(remedy.savedBytes)}</td>
          <td>${formatExtra(remedy.extraStep)}</td>
        </tr>`;
      })}</tbody>
    </table>`;
}

/** The what-if that tries a remedy; undefined where the panel has no control for it. */
function whatIfOfRemedy({ key }: Remedy, { run }: BudgetView): WhatIf | undefined {
  const { batch, accumulation } = valuesInCode(run);
  const half = Math.floor(batch / 2);
  const known: Readonly<Record<string, WhatIf>> = {
    'fused-attention': { attention: 'sdpa' },
    fp16: { dataType: 'fp16' },
    'fused-loss': { loss: 'fused' },
    'optimizer-8bit': { optimizer: 'adamw-8bit' },
    'half-batch': { batch: half, accumulation: accumulation * 2 },
    policy: { strategy: 'policy' },
    full: { strategy: 'full', segment: 1 },
    offload: { strategy: 'offload', segment: 1 },
  };
  return known[key];
}

function largestView({ largest }: Advice, { device, changed }: BudgetView, act: Actions): TemplateResult {
  if (device === undefined) {
    return html`<p class="quiet">${t('Choose a device to learn how large a batch and how long a sequence would fit.')}</p>`;
  }
  const cell = (
    how: Largest['with'],
    field: 'batch' | 'sequence',
    value: number | undefined,
  ): TemplateResult | string => {
    if (value === undefined) return t('none');
    const change: WhatIf = { [field]: value, ...(how === 'full' ? { strategy: 'full', segment: 1 } : {}) };
    return html`<button class="link" data-test="largest-${field}-${how}" title=${t('Try it out')} @click=${() => act.tryOut(change)}>${formatCount(value)}</button>`;
  };
  const hasSequence = largest.some((each) => each.hasSequence);
  return html`
    <h3>${t('Largest that fits')}</h3>
    <table>
      <thead><tr><th scope="col">${t('Checkpointing')}</th><th scope="col">${t('Micro-batch')}</th>${hasSequence ? html`<th scope="col">${t('or sequence')}</th>` : ''}</tr></thead>
      <tbody>${largest.map(
        ({ with: how, batch, sequence }) => html`<tr>
          <th scope="row">${how === 'full' ? t('every layer') : changed.size > 0 ? t('with your changes') : t('as it stands')}</th>
          <td>${cell(how, 'batch', batch)}</td>${hasSequence ? html`<td>${cell(how, 'sequence', sequence)}</td>` : ''}</tr>`,
      )}</tbody>
    </table>`;
}

function whenNot(whole: Whole, { budget, units }: BudgetView): TemplateResult | string {
  const bytes = (count: number): string => formatBytes(count, units);
  const sentences = [...whenNotToCheckpoint(whole, whole.extraStep, bytes), ...budget.notes];
  if (sentences.length === 0) return '';
  return html`<h3>${t('When it is worth it, and when not')}</h3>
    <ul class="said" data-test="when-not">${sentences.map((sentence) => html`<li>${keepTogether(sentence)}.</li>`)}</ul>`;
}
