import type { Call, Expression } from '../python/ast.ts';
import type { CallIndex } from '../python/calls.ts';
import { expressionsOf } from '../python/walk.ts';
import { overlaps, type Span } from '../text/span.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import { checkpointSites, type UseReentrant } from './checkpointSite.ts';
import { wrapperSites } from './wrapperSite.ts';

/** One place that calls, configures or switches checkpointing: what a person reviewing a code base wants to see listed. */
export interface CheckpointMention {
  readonly at: Span;
  readonly kind: MentionKind;
  /** The function, method, keyword or key: a qualified name where it is resolved, else `.name` or `name=`. */
  readonly what: string;
  /** For torch's own functions: `reentrant`, `non-reentrant`, `implicit` or `unknown`. */
  readonly variant: string | undefined;
}

export type MentionKind =
  | 'call'
  | 'wrapper call'
  | 'partial'
  | 'reference'
  | 'module called'
  | 'method'
  | 'keyword'
  | 'key';

export function checkpointMentions(
  file: SourceFile,
  calls: CallIndex,
  workspace: Workspace | undefined,
): CheckpointMention[] {
  const { module, names } = file;
  if (!mayMention(module.text)) return [];
  const mentions: CheckpointMention[] = [];
  const callees = new Set<Expression>();
  for (const { call, function: name, useReentrant } of checkpointSites(file, calls)) {
    callees.add(call.callee);
    mentions.push({ at: call, kind: 'call', what: `torch.utils.checkpoint.${name}`, variant: variantOf(useReentrant) });
  }
  for (const { call, inner } of wrapperSites(file, calls, workspace)) {
    callees.add(call.callee);
    const what = `torch.utils.checkpoint.${inner.function}`;
    mentions.push({ at: call, kind: 'wrapper call', what, variant: variantOf(inner.useReentrant) });
  }
  for (const call of calls.all()) {
    const mention = callees.has(call.callee) ? undefined : otherCall(call);
    if (mention !== undefined) {
      callees.add(call.callee);
      mentions.push(mention);
    }
    for (const argument of call.arguments) {
      if (argument.kind !== 'keyword' || !switches.has(argument.name.name)) continue;
      mentions.push({ at: argument, kind: 'keyword', what: `${argument.name.name}=`, variant: undefined });
    }
  }
  const inside = new Set<Expression>();
  for (const expression of expressionsOf(module)) {
    if (module.unreliable.some((span) => overlaps(span, expression))) continue;
    if (expression.kind === 'attribute') inside.add(expression.object);
    if (expression.kind === 'dictionary') mentions.push(...keysOf(expression));
    if (
      (expression.kind !== 'name' && expression.kind !== 'attribute') ||
      inside.has(expression) ||
      callees.has(expression)
    )
      continue;
    const qualified = ownApi(expression);
    if (qualified !== undefined)
      mentions.push({ at: expression, kind: 'reference', what: qualified, variant: undefined });
  }
  return mentions.sort((a, b) => a.at.start - b.at.start || a.at.end - b.at.end);

  function otherCall(call: Call): CheckpointMention | undefined {
    const qualified = ownApi(call.callee);
    if (qualified !== undefined) {
      const kind = qualified === 'torch.utils.checkpoint' ? 'module called' : 'call';
      return { at: call, kind, what: qualified, variant: undefined };
    }
    const [first] = call.arguments;
    if (first?.kind === 'positional' && names.qualifiedName(call.callee) === 'functools.partial') {
      const inner = ownApi(first.value);
      if (inner !== undefined) return { at: call, kind: 'partial', what: inner, variant: undefined };
    }
    if (call.callee.kind !== 'attribute' || !methods.test(call.callee.attribute.name)) return undefined;
    return { at: call, kind: 'method', what: `.${call.callee.attribute.name}`, variant: undefined };
  }

  /** The library function an expression is, or may be where it can also be something else. */
  function ownApi(expression: Expression): string | undefined {
    if (expression.kind !== 'name' && expression.kind !== 'attribute') return undefined;
    return names.resolve(expression).targets.find(({ qualified }) => apis.test(qualified ?? ''))?.qualified;
  }
}

/** A cheap look before any parsing: most files have nothing to list. */
export const mayMention = (text: string): boolean => /checkpoint|with_cp|recompute|require_grads/.test(text);

/** Everything whose business is activation checkpointing; saving and loading of weights is not. */
const apis = new RegExp(
  [
    String.raw`^torch\.utils\.checkpoint($|\.)`,
    String.raw`^torch\.distributed\.algorithms\._checkpoint\.checkpoint_wrapper\.`,
    String.raw`^torch\.distributed\._composable\.checkpoint`,
    String.raw`^deepspeed\.checkpointing\.`,
    String.raw`^fairscale\.nn\.(\w+\.)*checkpoint_wrapper`,
    String.raw`^torch_xla\.(distributed\.fsdp\.checkpoint_module|utils\.checkpoint)`,
    // The same libraries under the names their own source trees define them by.
    String.raw`(^|\.)megatron\.(\w+\.)*(tensor_parallel|mpu|random)\.checkpoint$`,
    String.raw`(^|\.)deepspeed\.runtime\.activation_checkpointing\.checkpointing\.`,
  ].join('|'),
);

const methods =
  /^_?(gradient_checkpointing_(enable|disable|func)|(enable|disable|set|apply)_(gradient|grad|activation)_checkpointing|enable_input_require_grads|set_activation_checkpointing)$/;

const switches: ReadonlySet<string> = new Set([
  'use_checkpoint',
  'use_checkpointing',
  'with_cp',
  'gradient_checkpointing',
  'gradient_checkpointing_kwargs',
  'gradient_checkpointing_func',
  'use_gradient_checkpointing',
  'grad_checkpointing',
  'checkpoint_activations',
  'activation_checkpointing',
  'activation_checkpointing_policy',
  'enable_activation_checkpointing',
  'recompute_granularity',
  'recompute_method',
  'recompute_num_layers',
]);

function keysOf(dictionary: Expression & { kind: 'dictionary' }): CheckpointMention[] {
  return dictionary.entries.flatMap(({ key }) =>
    key?.kind === 'string' && key.value !== undefined && switches.has(key.value)
      ? [{ at: key, kind: 'key' as const, what: `'${key.value}'`, variant: undefined }]
      : [],
  );
}

function variantOf(useReentrant: UseReentrant): string {
  switch (useReentrant.kind) {
    case 'known':
      return useReentrant.reentrant ? 'reentrant' : 'non-reentrant';
    case 'unknown':
      return 'unknown';
    default:
      return 'implicit';
  }
}
