import { html, svg, type TemplateResult } from 'lit/html.js';
import type { TotalMemory } from '../../server/core/total/totalMemory.ts';
import { layoutTimeline, type Timeline } from '../charts/timeline.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { formatBytes } from '../format.ts';
import { t } from '../l10n.ts';
import { momentInWords, nowLabel, strategyLabel } from '../words.ts';
import type { Actions } from './actions.ts';

const height = 170;

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly total: TotalMemory;
}

/** The memory over one step, for two strategies on top of each other. */
export function timelineChart(whole: Whole, view: BudgetView, act: Actions, width: number): TemplateResult {
  const { units, compared, device } = view;
  const choices: readonly Choice[] = [
    { key: 'now', label: nowLabel(view), total: whole.now },
    ...whole.strategies.map(({ name, total }) => ({
      key: name,
      label: name === 'none' ? t('No checkpointing') : strategyLabel(name),
      total,
    })),
  ];
  const chosen = (key: string | undefined, otherwise: string): Choice =>
    choices.find((each) => each.key === key) ?? (choices.find((each) => each.key === otherwise) as Choice);
  const first = chosen(compared.first, 'now');
  const second = chosen(compared.second, view.strategy === 'none' ? 'full' : 'none');
  const timeline = layoutTimeline(
    [
      { key: 'first', moments: first.total.moments },
      { key: 'second', moments: second.total.moments },
    ],
    device?.memoryBytes,
    { width, height },
    units,
  );
  const bytes = (count: number): string => formatBytes(count, units);
  const label = { first: first.label, second: second.label };
  const spoken = timeline.lines.map(({ key, peak }) =>
    t(
      '{0}: highest {1} {2}.',
      label[key as 'first' | 'second'],
      bytes(peak.moment.totalBytes),
      momentInWords(peak.moment.phase),
    ),
  );
  return html`
    <p class="compare">
      ${picker('first', first.key, t('First strategy'), choices, act)}
      <span class="quiet">${t('against')}</span>
      ${picker('second', second.key, t('Second strategy'), choices, act)}
    </p>
    <svg class="timeline" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" data-test="timeline"
      aria-label="${t('Memory over one training step, without the allowance.')} ${spoken.join(' ')}">
      ${frame(timeline, bytes)}
      ${timeline.lines.map(({ key, area }) => svg`<path class="area ${key}" d=${area}></path>`)}
      ${timeline.lines.map(
        ({ key, path, peak }) => svg`<path class="line ${key}" d=${path}></path>
          <circle class="dot ${key}" cx=${peak.x} cy=${peak.y} r="3"><title>${bytes(peak.moment.totalBytes)} ${momentInWords(peak.moment.phase)}</title></circle>`,
      )}
    </svg>
    <ul class="legend peaks">${timeline.lines.map(
      ({ key, peak }) => html`<li>
        <svg class="swatch wide" viewBox="0 0 18 10" aria-hidden="true">${svg`<path class="line ${key}" d="M0 5H18"></path>`}</svg>
        <span class="label">${label[key as 'first' | 'second']}</span>
        <span class="value" data-test="timeline-peak-${key}">${bytes(peak.moment.totalBytes)}</span>
        <span class="share">${momentInWords(peak.moment.phase)}</span></li>`,
    )}</ul>
    <p class="quiet">${t('Moments in order, not in seconds; the allowance comes on top.')}</p>`;
}

function frame({ plot, ticks, phases, limitY }: Timeline, bytes: (count: number) => string): TemplateResult {
  const { left, right, top, bottom } = plot;
  return svg`
    ${ticks.map(
      ({ bytes: count, at }) => svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at}></line>
        <text class="tick" x=${left - 6} y=${at + 3.5} text-anchor="end">${count === 0 ? '0' : bytes(count)}</text>`,
    )}
    ${phases.map(
      ({ phase, from, to }) => svg`<line class="grid" x1=${to} x2=${to} y1=${top} y2=${bottom}></line>
        ${
          to - from < narrowestLabelled
            ? ''
            : svg`<text class="tick" x=${(from + to) / 2} y=${bottom + 14} text-anchor="middle">${phaseLabels[phase]()}</text>`
        }`,
    )}
    ${limitY === undefined ? '' : svg`<line class="limit" x1=${left} x2=${right} y1=${limitY} y2=${limitY}></line>`}`;
}

/** In narrower phases the label would run into its neighbours'; the legend names the phase of each peak. */
const narrowestLabelled = 26;

const phaseLabels = {
  forward: () => t('forward'),
  loss: () => t('loss'),
  backward: () => t('backward'),
  step: () => t('step'),
} as const;

function picker(
  which: 'first' | 'second',
  value: string,
  spoken: string,
  choices: readonly Choice[],
  act: Actions,
): TemplateResult {
  const onChange = (event: Event) => act.compare({ [which]: (event.currentTarget as HTMLSelectElement).value });
  return html`<select data-test="compare-${which}" aria-label=${spoken} @change=${onChange}>
    ${choices.map(({ key, label }) => html`<option value=${key} .selected=${key === value}>${label}</option>`)}
  </select>`;
}
