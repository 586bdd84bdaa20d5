import { html, nothing, svg, type TemplateResult } from 'lit/html.js';
import type { PytorchStrategy, StrategyName } from '../../server/core/budget/account.ts';
import type { SecondsRange } from '../../server/core/devices/trainingSeconds.ts';
import { secondsText } from '../../server/core/report/quantities.ts';
import type { TotalMemory } from '../../server/core/total/totalMemory.ts';
import type { Verdict } from '../../server/core/total/verdict.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { formatBytes, formatExactBytes, formatExtra, formatShare, keepTogether } from '../format.ts';
import { t } from '../l10n.ts';
import { hasAttention } from '../modelKind.ts';
import { hasSegments } from '../whatIf.ts';
import { describeCheckpointing, strategyLabel } from '../words.ts';
import type { Actions } from './actions.ts';
import { breakable } from './breakable.ts';
import { putIntoCode } from './putIntoCode.ts';

interface Row {
  readonly key: string;
  readonly name: StrategyName | undefined;
  readonly label: TemplateResult | string;
  readonly aside: string;
  readonly total: TotalMemory;
  readonly verdict: Verdict | undefined;
  readonly extraStep: number;
  readonly extraSeconds?: SecondsRange | undefined;
  /** In the PyTorch account, activations alone. */
  readonly activations: PytorchStrategy | undefined;
}

/** Every strategy with the whole memory it would take; choosing one tries it out. */
export function totalTable(whole: Whole, view: BudgetView, act: Actions): TemplateResult {
  const { units, strategy, strategyInCode } = view;
  const rows = rowsOf(whole, view);
  const none = whole.strategies.find(({ name }) => name === 'none')?.total.range.expected ?? 0;
  const widest = Math.max(whole.verdict?.device.memoryBytes ?? 0, ...rows.map(({ total }) => total.range.expected), 1);
  const hasDevice = whole.verdict !== undefined;
  return html`
    <table class="strategies totals">
      <caption class="unseen">${t('The whole memory under each strategy')}</caption>
      <thead><tr>
        <th scope="col">${t('Strategy')}</th>
        <th scope="col">${t('Total')}</th>
        <th scope="col" class="saved" title=${t('Share of the total without checkpointing')}>${t('Saved')}</th>
        <th scope="col" title=${t('Extra work in a whole step; backward counts as two forwards')}>${t('Step')}</th>
        ${hasDevice ? html`<th scope="col">${t('Fits')}</th>` : ''}
      </tr></thead>
      ${rows.map((row) => {
        const isNow = row.name === strategy;
        const expected = row.total.range.expected;
        const saving = none > 0 ? 1 - expected / none : 0;
        return html`<tbody class=${isNow ? 'now' : ''}>
          <tr>
            <th scope="row">${label(row, isNow, act)}${
              row.name === strategyInCode
                ? html` <span class="badge" data-test="in-code">${t('in the code')}</span>`
                : ''
            }${isNow && row.name !== strategyInCode ? html` <span class="badge">${t('tried')}</span>` : ''}${isNow ? putIntoCode(view, 'apply', t('put into the code'), act) : ''}
              <small><span>${row.aside}</span> ${activations(row, units)}</small></th>
            <td class="strong" data-test="total-${row.key}" title=${rangeTitle(row.total, units)}>${formatBytes(expected, units)}</td>
            <td class="saved">${row.name === 'none' ? '–' : formatShare(saving)}</td>
            <td data-test="extra-step-${row.key}" title=${secondsTitle(row.extraSeconds)}>${row.name === 'none' ? '–' : formatExtra(row.extraStep)}</td>
            ${hasDevice ? html`<td data-test="fits-${row.key}">${fits(row.verdict, units)}</td>` : ''}
          </tr>
          <tr class="bar" aria-hidden="true"><td colspan="5">${bar(row, widest, whole.verdict?.device.memoryBytes)}</td></tr>
        </tbody>`;
      })}
    </table>
    <p class="quiet legend-line">${t('Bars: what no checkpointing lowers, then activations at that peak')}${hasDevice ? t(', and where the device ends.') : '.'}</p>`;
}

/** Only where the device's rates are known. */
const secondsTitle = (seconds: SecondsRange | undefined): string | typeof nothing =>
  seconds === undefined || seconds.high === 0
    ? nothing
    : t('{0} more in each micro-batch, at {1}', secondsText(seconds), seconds.source);

function rowsOf(whole: Whole, view: BudgetView): readonly Row[] {
  const { strategy, run, budget } = view;
  const rows = whole.strategies
    .filter(isOffered(view))
    .map(({ name, segment, total, verdict, extraStep, extraSeconds }): Row => {
      const isNow = name === strategy;
      return {
        key: name,
        name,
        label: breakable(strategyLabel(name)),
        aside: hasSegments(name) ? keepTogether(`k = ${segment}`) : '',
        // What runs may be the reentrant variant, which peaks a little higher than the row's own plan.
        ...(isNow
          ? { total: whole.now, verdict: whole.verdict, extraStep: whole.extraStep }
          : { total, verdict, extraStep }),
        extraSeconds,
        activations: budget.pytorch?.strategies.find((each) => each.name === name),
      };
    });
  if (strategy !== undefined) return rows;
  const label = describeCheckpointing(run.checkpointing.value);
  const own: Row = {
    ...whole,
    key: 'own',
    name: undefined,
    label,
    aside: '',
    total: whole.now,
    activations: undefined,
  };
  return [own, ...rows];
}

/** A model without attention has no core of it that could run again. */
const isOffered =
  (view: BudgetView) =>
  ({ name }: { readonly name: StrategyName }): boolean =>
    name !== 'selective' || name === view.strategy || name === view.strategyInCode || hasAttention(view);

function label({ name, label: text, key }: Row, isNow: boolean, act: Actions): TemplateResult | string {
  if (name === undefined) return text;
  return html`<button class="link plain" data-test="try-${key}" aria-pressed=${isNow ? 'true' : 'false'} title=${t('Try it out')}
    @click=${() => act.tryOut({ strategy: name })}>${text}</button>`;
}

const activations = ({ activations: account, key }: Row, units: BudgetView['units']): TemplateResult | string =>
  account === undefined
    ? ''
    : html`<span class="activations" data-test="peak-${key}" title=${formatExactBytes(account.peakBytes)}>${t('activations {0}', formatBytes(account.peakBytes, units))}</span>`;

const rangeTitle = ({ range }: TotalMemory, units: BudgetView['units']): string =>
  `${formatExactBytes(range.expected)}, ${t('{0} to {1}', formatBytes(range.low, units), formatBytes(range.high, units))}`;

/** A sign for the narrow panel, the amount where there is room; read out as a sentence. */
function fits(verdict: Verdict | undefined, units: BudgetView['units']): TemplateResult | string {
  if (verdict === undefined) return '';
  const spare = formatBytes(Math.abs(verdict.spareBytes), units);
  const [sign, said] = {
    fits: ['✓', t('fits, {0} to spare', spare)],
    tight: ['?', t('may fit')],
    over: ['✗', t('{0} over', spare)],
  }[verdict.outcome] as [string, string];
  return html`<span class="fits ${verdict.outcome}" title=${said}><span aria-hidden="true">${sign}</span><span class="unseen">${said}</span></span>`;
}

function bar({ total }: Row, widest: number, deviceBytes: number | undefined): TemplateResult {
  const scale = 100 / widest;
  const fixed = (total.range.expected - total.peak.activationBytes) * scale;
  return html`<svg viewBox="0 0 100 4" preserveAspectRatio="none">
    <rect class="track" width="100" height="4"></rect>
    ${svg`<rect class="fixed" width=${fixed} height="4"></rect>
      <rect class="fill" x=${fixed} width=${total.peak.activationBytes * scale} height="4"></rect>`}
    ${deviceBytes === undefined ? '' : svg`<rect class="end" x=${Math.min(99.4, deviceBytes * scale)} width="0.6" height="4"></rect>`}
  </svg>`;
}
