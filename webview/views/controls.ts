import { html, type TemplateResult } from 'lit/html.js';
import type { WhatIf } from '../store.ts';
import type { Actions } from './actions.ts';

export interface NumberControl {
  readonly field: 'batch' | 'sequence' | 'segment';
  /** For screen readers, with the unit. */
  readonly spoken: string;
  readonly value: number;
  readonly largest: number;
}

/** What cannot be a value (empty, 0, 1.5) changes nothing; leaving the field brings the last good value back. */
export function numberInput({ field, spoken, value, largest }: NumberControl, act: Actions): TemplateResult {
  const restore = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    if (!input.validity.valid) input.value = String(value);
  };
  return html`<input type="number" class="number" data-test="input-${field}" aria-label=${spoken}
    required min="1" max=${largest} step="1" .value=${String(value)} @input=${onNumber(field, act)} @change=${restore}>`;
}

export const slider = ({ field, spoken, value, largest }: NumberControl, act: Actions): TemplateResult =>
  html`<input type="range" data-test="slider-${field}" aria-label=${spoken} min="1" max=${largest} step="1"
    ?disabled=${largest === 1} .value=${String(value)} @input=${onNumber(field, act)}>`;

export interface Choice<T extends string> {
  readonly field: 'dataType' | 'attention';
  /** `input-<test>` is the name tests know it by. */
  readonly test: string;
  readonly spoken: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly value: T;
}

export function select<T extends string>(choice: Choice<T>, act: Actions): TemplateResult {
  const onChange = (event: Event) =>
    act.tryOut({ [choice.field]: (event.currentTarget as HTMLSelectElement).value } as WhatIf);
  return html`<select data-test="input-${choice.test}" aria-label=${choice.spoken} @change=${onChange}>
    ${choice.options.map(
      ([value, label]) => html`<option value=${value} .selected=${value === choice.value}>${label}</option>`,
    )}
  </select>`;
}

const onNumber = (field: NumberControl['field'], act: Actions) => (event: Event) => {
  const input = event.currentTarget as HTMLInputElement;
  if (input.validity.valid) act.tryOut({ [field]: input.valueAsNumber });
};
