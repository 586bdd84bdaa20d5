import { html, type TemplateResult } from 'lit/html.js';
import { parametersText } from '../../server/core/report/quantities.ts';
import type { BudgetView } from '../derive.ts';
import { formatBytes, formatCount, formatExactBytes } from '../format.ts';
import { originMark } from '../origin.ts';
import { headline } from '../verdict.ts';
import type { Actions } from './actions.ts';

/** The model's name, the peak as the code stands, and a sentence on what checkpointing would do to it. */
export function headlineView(view: BudgetView, act: Actions): TemplateResult {
  const { model, units, budget } = view;
  const { peakBytes, peakInCodeBytes, how, account, advice } = headline(view);
  const { sentence, place } = originMark(model.name, view.shown.uri);
  const parameters = budget.pytorch?.parameters;
  return html`
    <header>
      <div class="title">
        ${
          place === undefined
            ? html`<h1 data-test="model-name" title=${sentence}>${model.name.value}</h1>`
            : html`<h1><button class="link plain" data-test="model-name" title=${sentence} @click=${() => act.reveal(place)}>${model.name.value}</button></h1>`
        }
        ${unitSwitch(view, act)}
      </div>
      <p class="quiet">${formatCount(model.layers.value)} layers × ${formatCount(model.hidden.value)} channels${
        parameters === undefined
          ? ''
          : html`, <span data-test="parameters" title=${formatCount(parameters)}>${parametersText(parameters)}</span> parameters`
      } · ${view.shown.name}</p>
      <div class="peak ${peakInCodeBytes === undefined ? '' : 'changed'}">
        <p class="over">${peakInCodeBytes === undefined ? 'Peak of activations, as the code stands' : 'Peak of activations, with your changes'}</p>
        <p>${
          peakBytes === undefined
            ? html`<strong class="big">No estimate</strong>`
            : html`<strong class="big" data-test="peak-now" title=${formatExactBytes(peakBytes)}>${formatBytes(peakBytes, units)}</strong>`
        }
          <span class="how">${how}${account === 'paper' ? ', paper account' : ''}</span></p>
        ${
          peakInCodeBytes === undefined
            ? ''
            : html`<p class="quiet">The code as it stands: <span data-test="peak-in-code" title=${formatExactBytes(peakInCodeBytes)}>${formatBytes(peakInCodeBytes, units)}</span>.
              <button class="link" data-test="reset" @click=${() => act.reset()}>Reset</button></p>`
        }
      </div>
      ${advice.length === 0 ? '' : html`<p data-test="advice">${advice.join(' ')}</p>`}
    </header>`;
}

function unitSwitch({ units }: BudgetView, act: Actions): TemplateResult {
  const choice = (name: typeof units, label: string, title: string) => html`
    <button aria-pressed=${units === name ? 'true' : 'false'} data-test="units-${name}" title=${title} @click=${() => act.setUnits(name)}>${label}</button>`;
  return html`<span class="switch" role="group" aria-label="Units">
    ${choice('decimal', 'GB', '1 GB = 1000 MB')}${choice('binary', 'GiB', '1 GiB = 1024 MiB')}
  </span>`;
}
