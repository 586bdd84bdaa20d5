import { html, type TemplateResult } from 'lit/html.js';
import type { Fact } from '../../server/core/facts/facts.ts';
import { originMark } from '../origin.ts';
import type { Actions } from './actions.ts';

export interface FactLabel {
  /** `fact-<key>` is the name tests know the value by. */
  readonly key: string;
  readonly label: string;
  /** The letter formulas use. */
  readonly letter?: string;
  readonly value: string;
  readonly unit?: string;
}

/** One value: a row that jumps to its line where it has one, and says where it comes from where it has none. */
export function factRow<T>(label: FactLabel, fact: Fact<T>, shownUri: string, act: Actions): TemplateResult {
  const { mark, sentence, place } = originMark(fact, shownUri);
  const content = html`
    <span class="label">${label.label}${letter(label.letter)}</span>
    <span class="value"><span data-test="fact-${label.key}">${label.value}</span>${unit(label.unit)}</span>
    <span class="mark" data-origin=${fact.origin.kind}>${mark}</span>`;
  return place === undefined
    ? html`<li><div class="fact" title=${sentence}>${content}</div></li>`
    : html`<li><button class="fact" title=${sentence} @click=${() => act.reveal(place)}>${content}</button></li>`;
}

export const letter = (name: string | undefined): TemplateResult | string =>
  name === undefined ? '' : html` <i class="letter">${name}</i>`;

const unit = (name: string | undefined): TemplateResult | string =>
  name === undefined ? '' : html` <span class="unit">${name}</span>`;
