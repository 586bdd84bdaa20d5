import { html, svg, type TemplateResult } from 'lit/html.js';
import { parametersText } from '../../server/core/report/quantities.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { deviceOf } from '../deviceName.ts';
import { afterColon, formatBytes, formatCount, formatExactBytes } from '../format.ts';
import { t } from '../l10n.ts';
import { hasUnequalLayers } from '../modelKind.ts';
import { originMark } from '../origin.ts';
import { type Headline, headline } from '../verdict.ts';
import { momentInWords } from '../words.ts';
import type { Actions } from './actions.ts';
import { putIntoCode } from './putIntoCode.ts';

/** The model's name, whether it fits, what it takes, and a sentence on what checkpointing would do to it. */
export function verdictHeader(view: BudgetView, act: Actions): TemplateResult {
  const { whole, changed } = view;
  const said = headline(view);
  return html`
    <header>
      ${title(view, act)}
      <div class="verdict ${changed.size > 0 ? 'changed' : ''}">
        ${changed.size > 0 ? html`<p class="over">${t('With your changes')}</p>` : ''}
        <p class="big" data-test="verdict" data-tone=${said.tone} aria-live="polite">${toneIcon(said.tone)}<span>${said.verdict}</span></p>
        ${whole === undefined ? '' : total(whole, view)}
        <p class="quiet" data-test="how">${said.how}</p>
        ${said.assumed === undefined ? '' : html`<p class="quiet" data-test="assumed" title=${t('The code that is shown does not say it; say what you train with under Run')}>${said.assumed}</p>`}
        <p>
          <button class="picker" data-test="choose-device" title=${t('What the training runs on; remembered for this workspace')} @click=${act.chooseDevice}>
            <span>${view.device === undefined ? t('Choose a device') : deviceOf(view.device, view.units)}</span>${chevron}</button>
        </p>
        ${changeRow(view, said, act)}
      </div>
      ${said.advice.length === 0 ? '' : html`<p data-test="advice">${said.advice.join(' ')}</p>`}
    </header>`;
}

function title(view: BudgetView, act: Actions): TemplateResult {
  const { model, budget, shown, units } = view;
  const { sentence, place } = originMark(model.name, shown.uri);
  const parameters = budget.pytorch?.parameters;
  return html`
    <div class="title">
      ${
        place === undefined
          ? html`<h1 data-test="model-name" title=${sentence}>${model.name.value}</h1>`
          : html`<h1><button class="link plain" data-test="model-name" title=${sentence} @click=${() => act.reveal(place)}>${model.name.value}</button></h1>`
      }
      <span class="switch" role="group" aria-label=${t('Units')}>
        ${unitChoice('decimal', 'GB', t('1 GB = 1000 MB'))}${unitChoice('binary', 'GiB', t('1 GiB = 1024 MiB'))}
      </span>
    </div>
    <p class="quiet">${size(view)}${
      parameters === undefined
        ? ''
        : html`, <span data-test="parameters" title=${formatCount(parameters)}>${t('{0} parameters', parametersText(parameters))}</span>`
    } · ${shown.name}</p>`;

  function unitChoice(name: typeof units, label: string, explained: string): TemplateResult {
    return html`<button aria-pressed=${units === name ? 'true' : 'false'} data-test="units-${name}" title=${explained} @click=${() => act.setUnits(name)}>${label}</button>`;
  }
}

function size(view: BudgetView): string {
  const layers = formatCount(view.model.layers.value);
  return hasUnequalLayers(view)
    ? t('{0} blocks of different sizes', layers)
    : t('{0} layers × {1} channels', layers, formatCount(view.model.hidden.value));
}

function total({ now, verdict }: Whole, { units }: BudgetView): TemplateResult {
  const { low, expected, high } = now.range;
  const bytes = (count: number): string => formatBytes(count, units);
  return html`
    <p class="total">${
      verdict === undefined
        ? ''
        : html`<strong data-test="total-now" title=${formatExactBytes(expected)}>${bytes(expected)}</strong>
      <span title=${verdict.device.memorySource}>${t('of {0}', bytes(verdict.device.memoryBytes))} ·</span>`
    }
      <span class="quiet">${t('{0} to {1}, the peak is {2}', bytes(low), bytes(high), momentInWords(now.peak.phase))}</span></p>
    ${verdict === undefined ? '' : gauge(now.range, verdict.device.memoryBytes)}`;
}

/** How full the device is, the range of the allowance as a thin line. The sentence above says the same in words. */
function gauge(range: Whole['now']['range'], deviceBytes: number): TemplateResult {
  const scale = 100 / Math.max(deviceBytes, range.high);
  const [low, expected, high, end] = [range.low, range.expected, range.high, deviceBytes].map((bytes) => bytes * scale);
  return html`
    <svg class="gauge" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" y="1" width=${end ?? 0} height="6"></rect>
      ${svg`<rect class="level" y="1" width=${expected ?? 0} height="6"></rect>
        <rect class="range" x=${low ?? 0} y="3.2" width=${(high ?? 0) - (low ?? 0)} height="1.6"></rect>
        <rect class="end" x=${Math.max(0, (end ?? 0) - 0.4)} width="0.8" height="8"></rect>`}
    </svg>`;
}

function changeRow(view: BudgetView, { verdictInCode }: Headline, act: Actions): TemplateResult | string {
  const { changed, canUndo } = view;
  if (changed.size === 0 && !canUndo) return '';
  return html`<p class="quiet">
    ${verdictInCode === undefined ? '' : html`<span data-test="verdict-in-code">${t('As the code stands: {0}.', afterColon(verdictInCode))}</span>`}
    <span class="row">${putIntoCode(view, 'apply-tried', t('Put into the Code'), act)}
    ${canUndo ? html`<button class="link" data-test="undo" title="Ctrl+Z" @click=${act.undo}>${t('Undo')}</button>` : ''}
    ${changed.size > 0 ? html`<button class="link" data-test="reset" @click=${() => act.reset()}>${t('Reset')}</button>` : ''}</span>
  </p>`;
}

/** A shape beside the colour, for those who do not see the colour. */
function toneIcon(tone: Headline['tone']): TemplateResult | string {
  const path = {
    fits: 'M3 8.5 6.5 12 13 4.5',
    tight: 'M8 3v6.5M8 12v1.5',
    over: 'M4 4l8 8M12 4l-8 8',
    open: undefined,
  }[tone];
  if (path === undefined) return '';
  return html`<svg class="tone ${tone}" viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${path}></path>`}</svg>`;
}

const chevron = html`<svg class="chevron" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 6l4 4 4-4"></path></svg>`;
