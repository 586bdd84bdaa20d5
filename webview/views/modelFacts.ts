import { html, type TemplateResult } from 'lit/html.js';
import type { Fact } from '../../server/core/facts/facts.ts';
import { familyNamed } from '../../server/core/families/generated/registry.ts';
import type { BudgetView } from '../derive.ts';
import { formatCount } from '../format.ts';
import type { Actions } from './actions.ts';
import { type FactLabel, factRow } from './factRow.ts';

/** The model as detected, one row for each value. */
export function modelFacts(view: BudgetView, act: Actions): TemplateResult {
  const { model } = view;
  const row = <T>(label: FactLabel, fact: Fact<T>) => factRow(label, fact, view.shown.uri, act);
  const count = (key: string, label: string, fact: Fact<number>, unit?: string, letter?: string) =>
    row(
      {
        key,
        label,
        value: formatCount(fact.value),
        ...(unit === undefined ? {} : { unit }),
        ...(letter === undefined ? {} : { letter }),
      },
      fact,
    );
  const answer = (key: string, label: string, fact: Fact<boolean>) =>
    row({ key, label, value: fact.value ? 'yes' : 'no' }, fact);
  return html`
    <ul class="facts">
      ${row({ key: 'family', label: 'Family', value: familyNamed(model.family.value)?.label ?? model.family.value }, model.family)}
      ${count('layers', 'Layers', model.layers, 'layers', 'L')}
      ${count('hidden', 'Hidden size', model.hidden, undefined, 'h')}
      ${count('heads', 'Query heads', model.heads, 'heads', 'a')}
      ${count('key-value-heads', 'KV heads', model.keyValueHeads, 'heads', 'kv')}
      ${count('head-dimension', 'Head size', model.headDimension, undefined, 'd')}
      ${count('feed-forward', 'Feed-forward', model.feedForward, undefined, 'f')}
      ${count('vocabulary', 'Vocabulary', model.vocabulary, 'tokens', 'V')}
      ${count('maximum-sequence', 'Context length', model.maximumSequence, 'tokens')}
      ${row({ key: 'activation', label: 'Activation', value: model.activation.value }, model.activation)}
      ${answer('tied-embeddings', 'Tied weights', model.tiedEmbeddings)}
      ${answer('bias', 'Biases', model.bias)}
    </ul>`;
}
