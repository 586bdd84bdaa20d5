import { html, type TemplateResult } from 'lit/html.js';
import type { FileFacts } from '../protocol.ts';

/** Nothing to estimate: says what was looked at, and what would be recognised. */
export function emptyState(shown: FileFacts | undefined): TemplateResult {
  return html`
    <section class="empty" data-test="empty-state">
      <p>${
        shown === undefined
          ? 'Open a Python training script to see how much memory its activations need.'
          : html`No model recognised in <strong>${shown.name}</strong>.`
      }</p>
      <p>The panel reads a model from any of these:</p>
      <ul>
        <li><code>GPT2Config(n_layer=24, …)</code> or <code>LlamaConfig(…)</code></li>
        <li><code>from_pretrained("openai-community/gpt2")</code></li>
        <li>a <code>@dataclass</code> with <code>n_layer</code>, <code>n_head</code>, <code>n_embd</code>, as in nanoGPT</li>
      </ul>
      <p>Batch, length, precision and checkpointing come from <code>TrainingArguments(…)</code> or <code>SFTConfig(…)</code> in the same file.</p>
      ${notesList(shown?.facts?.notes ?? [])}
    </section>`;
}

/** Short lines a person should read; nothing where there are none. */
export const notesList = (notes: readonly string[]): TemplateResult | string =>
  notes.length === 0
    ? ''
    : html`<ul class="notes" aria-label="Notes" data-test="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
