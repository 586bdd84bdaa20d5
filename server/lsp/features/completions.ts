import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { policyMembers } from '../../core/torch/policyMembers.ts';

/**
 * Completions where only this tool knows what fits: `use_reentrant` in a checkpoint call, the keys of
 * `gradient_checkpointing_kwargs`, members of `CheckpointPolicy`. Read from the text before the cursor, because a half
 * written call has no place in a syntax tree yet.
 */
export function completions(text: string, offset: number): CompletionItem[] {
  const before = text.slice(Math.max(0, offset - farthest), offset);
  if (/\bCheckpointPolicy\.\w*$/.test(before)) return policies;
  if (/\bgradient_checkpointing_kwargs\s*=\s*\{[^{}]*$/.test(before)) return keysOfKwargs(before);
  const call = openCall(before);
  if (call === undefined || !startsArgument(before)) return [];
  if (!isCheckpointFunction(call.name, text)) return [];
  return options.filter(({ label }) => !call.written.includes(`${label.split('=')[0]}=`));
}

/** No call reaches further back than this, in UTF-16 units. */
const farthest = 4000;

const option = (label: string, detail: string): CompletionItem => ({
  label,
  detail,
  kind: CompletionItemKind.Property,
  sortText: `0${label}`,
});

const options: readonly CompletionItem[] = [
  option(
    'use_reentrant=False',
    'The variant PyTorch recommends: recomputes only what is needed and takes keyword arguments',
  ),
  option('use_reentrant=True', 'Runs the forward pass without a graph; inputs must require grad'),
  option('preserve_rng_state=True', 'Dropout draws the same in the replay; True is the default'),
  option(
    'context_fn=',
    'Selective checkpointing: create_selective_checkpoint_contexts(…), with use_reentrant=False only',
  ),
  option('determinism_check="default"', 'Compares shapes, types and devices of the replay with the forward pass'),
  option('debug=True', 'Records the operations of both passes, for errors about the replay'),
  option(
    'early_stop=True',
    'The replay stops at the last tensor that is needed; True is the default, the keyword exists from torch 2.9 on',
  ),
];

const policies: CompletionItem[] = [...policyMembers].map(([label, detail]) => ({
  label,
  detail,
  kind: CompletionItemKind.EnumMember,
}));

function keysOfKwargs(before: string): CompletionItem[] {
  const quoted = /["']\w*$/.test(before);
  const item = (key: string, value: string, detail: string): CompletionItem => ({
    label: `"${key}": ${value}`,
    detail,
    kind: CompletionItemKind.Property,
    ...(quoted && { insertText: key, filterText: key }),
  });
  return [
    item('use_reentrant', 'False', 'The variant PyTorch recommends; the default since transformers 5'),
    item('preserve_rng_state', 'True', 'Dropout draws the same in the replay; True is the default'),
  ];
}

/** The innermost call whose parenthesis is still open: its name, and what is written inside it so far. */
function openCall(before: string): { readonly name: string; readonly written: string } | undefined {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at];
    if (character === ')' || character === ']' || character === '}') depth++;
    else if (character === '[' || character === '{' || character === '(') {
      if (depth > 0) depth--;
      else if (character !== '(') return undefined;
      else {
        const name = /([\w.]+)\s*$/.exec(before.slice(0, at))?.[1];
        return name === undefined ? undefined : { name, written: before.slice(at + 1) };
      }
    }
  }
  return undefined;
}

/** Behind a comma or at a keyword that has begun, not inside a value. */
const startsArgument = (before: string): boolean => /[,(]\s*[a-z_]*$/.test(before);

const last = /(?:^|\.)(checkpoint|checkpoint_sequential)$/;

/** By the name it has in torch, where the file imports torch's checkpoint module; an alias counts where the import says so. */
function isCheckpointFunction(name: string, text: string): boolean {
  if (!text.includes('torch.utils.checkpoint') && !/from\s+torch\.utils\s+import\s+[^\n]*checkpoint/.test(text))
    return false;
  if (last.test(name)) return true;
  const alias = new RegExp(
    `\\bimport\\s[^\\n]*\\bcheckpoint(?:_sequential)?\\s+as\\s+${name.replaceAll('.', '\\.')}\\b`,
  );
  return /^\w+$/.test(name) && alias.test(text);
}
