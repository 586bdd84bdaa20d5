import { html, type TemplateResult } from 'lit/html.js';
import type { BudgetView } from '../derive.ts';
import { t } from '../l10n.ts';
import { hasSegments } from '../whatIf.ts';
import type { Actions } from './actions.ts';

/** For a strategy that is tried out and is not what the code says; nothing where it is. `test` is what tests call it. */
export function putIntoCode(
  { strategy, strategyInCode, segment, segmentInCode }: BudgetView,
  test: string,
  label: string,
  act: Actions,
): TemplateResult | string {
  const isSaid = strategy === strategyInCode && (segment === segmentInCode || !hasSegments(strategy));
  if (strategy === undefined || isSaid) return '';
  return html` <button class="link" data-test=${test} title=${t('Put this strategy into the code, with a preview of every change')}
    @click=${() => act.apply(strategy, segment)}>${label}</button>`;
}
