import { html, type TemplateResult } from 'lit/html.js';
import { t } from '../l10n.ts';
import type { Actions, CopyFormat } from './actions.ts';

/** Takes the numbers out of the panel: into a chat, a script, a report. Without a total there is no picture. */
export function copyRow(hasPicture: boolean, act: Actions): TemplateResult {
  const button = (as: CopyFormat, label: string, title: string) =>
    html`<button class="link" data-test="copy-${as}" title=${title} @click=${() => act.copy(as)}>${label}</button>`;
  return html`<p class="copy"><span class="quiet">${t('Copy')}</span>
    ${button('markdown', 'Markdown', t('Copy as Markdown'))} ${button('json', 'JSON', t('Copy as JSON'))}
    ${hasPicture ? html`<span class="quiet">${t('Save')}</span> ${button('svg', 'SVG', t('Save as a picture (SVG)'))} ${button('png', 'PNG', t('Save as a picture (PNG)'))}` : ''}
    <button class="link" data-test="learn" title=${t('Learn how checkpointing works')} @click=${act.learn}>${t('Learn Checkpointing')}</button></p>`;
}
