import { html, type TemplateResult } from 'lit/html.js';
import { t } from '../l10n.ts';
import type { FileFacts } from '../protocol.ts';
import type { Actions } from './actions.ts';

/** Which run the numbers are of, where a document is about several: by itself, by a launch script, by settings files. */
export function runPicker(shown: FileFacts | undefined, act: Actions): TemplateResult | string {
  if (shown === undefined || shown.runs.length < 2) return '';
  const onChange = (event: Event) => act.chooseRun((event.currentTarget as HTMLSelectElement).value);
  return html`<p class="runs"><label><span class="quiet">${t('Run')}</span>
    <select data-test="choose-run" @change=${onChange}>${shown.runs.map(
      ({ id, title }) => html`<option value=${id} .selected=${id === shown.chosenRun}>${title}</option>`,
    )}</select></label></p>`;
}
