import { html, type TemplateResult } from 'lit/html.js';
import { toldFacts } from '../../server/core/report/factsReport.ts';
import type { EmptyView } from '../derive.ts';
import { t } from '../l10n.ts';
import { originMark } from '../origin.ts';
import type { FileFacts } from '../protocol.ts';
import type { Actions } from './actions.ts';
import { sourceRows } from './sources.ts';

/** Nothing to estimate: says what was looked at, what is known of it, and what would be recognised. */
export function emptyState({ shown }: EmptyView, act: Actions): TemplateResult {
  const named = shown?.facts?.namedModel;
  return html`
    <section class="empty" data-test="empty-state">
      <p>${
        shown === undefined
          ? t('Open a Python training script to see how much memory its training needs.')
          : named === undefined
            ? t('No model recognised in {0}.', shown.name)
            : unknownModel(shown, named, act)
      }</p>
      ${notesList(shown?.facts?.notes ?? [])}
      ${shown === undefined ? '' : known(shown, act)}
      <p>${t('The panel reads a model from any of these:')}</p>
      <ul>
        <li><code>GPT2Config(n_layer=24, …)</code>, <code>LlamaConfig(…)</code></li>
        <li><code>from_pretrained("openai-community/gpt2")</code></li>
        <li><code>resnet50()</code>, <code>timm.create_model(…)</code></li>
        <li>${t('a dataclass with n_layer, n_head, n_embd, as in nanoGPT')}</li>
      </ul>
      <p>${t('Batch, length, precision and checkpointing come from TrainingArguments(…), SFTConfig(…), the script itself and its configuration files.')}</p>
    </section>`;
}

/** What the code says of the training; a model that is recognised would bring the numbers. */
function known({ uri, facts }: FileFacts, act: Actions): TemplateResult | string {
  const rows = facts === undefined ? [] : toldFacts(facts).filter(([field]) => field !== 'name');
  if (rows.length === 0) return '';
  return html`
    <h3>${t('What the code says of the training')}</h3>
    <ul class="facts run" data-test="known">${rows.map(([field, fact]) => sourceRows(field, fact, { shown: { uri } }, act))}</ul>`;
}

/** The name was found, its sizes were not. */
function unknownModel(
  shown: FileFacts,
  named: NonNullable<NonNullable<FileFacts['facts']>['namedModel']>,
  act: Actions,
): TemplateResult {
  const { sentence, place } = originMark(named, shown.uri);
  return html`${t('The sizes of this model are not known:')} ${
    place === undefined
      ? html`<strong title=${sentence}>${named.value}</strong>`
      : html`<button class="link" title=${sentence} @click=${() => act.reveal(place)}>${named.value}</button>`
  }`;
}

/** Short lines a person should read; nothing where there are none. */
export const notesList = (notes: readonly string[]): TemplateResult | string =>
  notes.length === 0
    ? ''
    : html`<ul class="notes" aria-label=${t('Notes')} data-test="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
