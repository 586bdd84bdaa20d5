import { html, type TemplateResult } from 'lit/html.js';
import type { Fact } from '../../server/core/facts/facts.ts';
import type { BudgetView } from '../derive.ts';
import { t } from '../l10n.ts';
import { originMark } from '../origin.ts';
import type { WhatIfField } from '../whatIf.ts';
import type { Actions } from './actions.ts';
import { letter } from './factRow.ts';

export interface WhatIfRow {
  readonly field: WhatIfField;
  readonly label: string;
  readonly letter?: string;
  /** Undefined where nothing says it. */
  readonly inCode: Fact<unknown> | undefined;
  readonly valueInCode: string;
  readonly unit?: string;
  readonly control: TemplateResult;
  /** Takes a line of its own, as wide as the panel. */
  readonly below?: TemplateResult;
}

/** A value that can be tried out; where it differs from the code it is marked and can be set back. */
export function whatIfRow(row: WhatIfRow, view: BudgetView, act: Actions): TemplateResult {
  const isChanged = view.changed.has(row.field);
  return html`
    <li class="what-if ${isChanged ? 'changed' : ''}" data-test="row-${row.field}">
      <span class="label">${row.label}${letter(row.letter)}</span>
      <span class="control">${row.control}${row.unit === undefined ? '' : html`<span class="unit">${row.unit}</span>`}</span>
      ${isChanged ? resetButton(row, act) : sourceMark(row.inCode, view.shown.uri, act)}
      ${row.below === undefined ? '' : html`<span class="below">${row.below}</span>`}
    </li>`;
}

const resetButton = ({ field, valueInCode }: WhatIfRow, act: Actions): TemplateResult => html`
  <button class="mark reset" data-test="reset-${field}" title=${t('Changed here; the code has {0}. Back to that', valueInCode)}
    aria-label=${t('Back to {0}, as the code has it', valueInCode)} @click=${() => act.reset(field)}>
    <span aria-hidden="true">↺</span> ${valueInCode}</button>`;

function sourceMark(fact: Fact<unknown> | undefined, shownUri: string, act: Actions): TemplateResult {
  if (fact === undefined)
    return html`<span class="mark" title=${t('Nothing says it; the usual is counted')}>${t('usual')}</span>`;
  const { mark, sentence, place } = originMark(fact, shownUri);
  return place === undefined
    ? html`<span class="mark" title=${sentence}>${mark}</span>`
    : html`<button class="mark link" title=${sentence} @click=${() => act.reveal(place)}>${mark}</button>`;
}
