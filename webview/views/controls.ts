import { html, type TemplateResult } from 'lit/html.js';
import { formatCount } from '../format.ts';
import { t } from '../l10n.ts';
import type { WhatIf, WhatIfField } from '../whatIf.ts';
import type { Actions } from './actions.ts';

export interface NumberControl {
  readonly field: 'batch' | 'sequence' | 'segment' | 'accumulation' | 'ranks' | 'adapters';
  /** For screen readers, with the unit. */
  readonly spoken: string;
  readonly value: number;
  readonly smallest?: number;
  readonly largest: number;
  readonly isDisabled?: boolean;
}

/** What cannot be a value (empty, 1.5) changes nothing; it stays as it was typed, and the field says what it takes. */
export function numberInput(
  { field, spoken, value, smallest = 1, largest, isDisabled = false }: NumberControl,
  act: Actions,
): TemplateResult {
  return html`<span class="checked"><input type="number" class="number" data-test="input-${field}" aria-label=${spoken} aria-describedby="problem-${field}"
    required min=${smallest} max=${largest} step="1" ?disabled=${isDisabled} .value=${String(value)} @input=${onNumber(field, act)} @keydown=${onEscape(value)}>
    <span class="problem" id="problem-${field}" data-test="problem-${field}">${whatItTakes(smallest, largest, value)}</span></span>`;
}

/** A file may give what is no number at all; then nothing is counted. */
const whatItTakes = (smallest: number, largest: number, value: number): string =>
  Number.isInteger(value)
    ? t(
        'A whole number from {0} to {1}; {2} is counted',
        formatCount(smallest),
        formatCount(largest),
        formatCount(value),
      )
    : t('A whole number from {0} to {1}', formatCount(smallest), formatCount(largest));

export const slider = ({ field, spoken, value, largest }: NumberControl, act: Actions): TemplateResult =>
  html`<input type="range" data-test="slider-${field}" aria-label=${spoken} min="1" max=${largest} step="1"
    ?disabled=${largest === 1} .value=${String(value)} @input=${onNumber(field, act)}>`;

export interface Choice<T extends string> {
  readonly field: WhatIfField;
  /** `input-<test>` is the name tests know it by. */
  readonly test: string;
  readonly spoken: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly value: T;
  /** What is tried when a value is picked, where that is not the value itself. */
  readonly changeOf?: (value: T) => WhatIf;
}

export function select<T extends string>(choice: Choice<T>, act: Actions): TemplateResult {
  const onChange = (event: Event) => {
    const value = (event.currentTarget as HTMLSelectElement).value as T;
    act.tryOut(choice.changeOf?.(value) ?? ({ [choice.field]: value } as WhatIf));
  };
  return html`<select data-test="input-${choice.test}" aria-label=${choice.spoken} @change=${onChange}>
    ${choice.options.map(
      ([value, label]) => html`<option value=${value} .selected=${value === choice.value}>${label}</option>`,
    )}
  </select>`;
}

/** Escape brings back what is counted, where something else stands in the field. */
const onEscape = (counted: number) => (event: KeyboardEvent) => {
  const input = event.currentTarget as HTMLInputElement;
  if (event.key === 'Escape' && !input.validity.valid) input.value = String(counted);
};

const onNumber = (field: NumberControl['field'], act: Actions) => (event: Event) => {
  const input = event.currentTarget as HTMLInputElement;
  if (input.validity.valid) act.tryOut({ [field]: input.valueAsNumber });
};
