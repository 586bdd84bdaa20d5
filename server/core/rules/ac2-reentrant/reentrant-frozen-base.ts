import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import type { ResolvedCall } from '../../python/calls.ts';
import { mentions } from '../../python/mentions.ts';
import { frozenEmbeddings } from '../frozenEmbeddings.ts';
import { type Enabling, enablings } from '../huggingFaceVariant.ts';
import { setTransformersVariant } from '../nonReentrantOptions.ts';
import { isSamePath } from '../runsBefore.ts';
import { trainers, trainingArguments } from '../trainingArguments.ts';

/** Adapters that leave the embeddings frozen; prompt tuning puts trainable vectors in front instead. */
const adapterConfigs = [
  'LoraConfig',
  'AdaLoraConfig',
  'LoHaConfig',
  'LoKrConfig',
  'IA3Config',
  'VeraConfig',
  'OFTConfig',
];

/** What makes the embeddings' output require grad, or makes it possible. */
const escapes = [
  'enable_input_require_grads',
  'prepare_model_for',
  'make_inputs_require_grad',
  'requires_grad_(True)',
  'requires_grad = True',
  'register_forward_hook',
];

/** What may train embeddings beside adapters. */
const adapterEscapes = ['modules_to_save', 'trainable_token_indices', 'embed', 'wte'];

export const rule: Rule = {
  code: 'AC207',
  name: 'reentrant-frozen-base',
  severity: 'warning',
  summary: 'reentrant checkpoints over a frozen base whose embeddings give no gradient',
  *check(context): Generator<Finding> {
    const { calls, module, versions } = context;
    // transformers 5 makes the embeddings' output require grad itself; an unknown version counts as current.
    if (versions.transformers?.major !== 4 || escapes.some((one) => mentions(module, one))) return;
    yield* frozenByHand(context);
    if (adapterEscapes.some((one) => mentions(module, one))) return;
    for (const adapted of calls.to('peft.get_peft_model')) {
      const model = targetOf(adapted.call, context);
      if (model === undefined || !isFrozenByAdapter(adapted, context)) continue;
      const all = enablings(context);
      // Switched on before, PEFT sees it and does what is needed.
      if (all.some(({ call, by }) => by === 'method' && call.start < adapted.call.start)) continue;
      for (const enabling of all) {
        if (enabling.reentrant !== true || !isOn(enabling, model, adapted.call, context)) continue;
        yield {
          at: enabling.options ?? enabling.call.callee,
          about: enabling.call,
          message:
            'the embeddings are frozen and nothing makes their output require grad: reentrant checkpoints stop the gradient before it reaches the adapters',
          fixes: setTransformersVariant(enabling, false, context),
        };
      }
    }
  },
};

/** No adapters, but embeddings whose parameters the file freezes itself: then not one layer gets a gradient. */
function* frozenByHand(context: LintContext): Generator<Finding> {
  for (const { model, loading } of frozenEmbeddings(context)) {
    for (const enabling of enablings(context)) {
      if (enabling.reentrant !== true || !isOn(enabling, model, loading, context)) continue;
      yield {
        at: enabling.options ?? enabling.call.callee,
        about: enabling.call,
        message:
          'the embeddings are frozen and nothing makes their output require grad: behind reentrant checkpoints no layer gets a gradient',
        fixes: setTransformersVariant(enabling, false, context),
      };
    }
  }
}

/** The name or attribute the adapted model is assigned to. */
function targetOf(call: Call, { around }: LintContext): Expression | undefined {
  const statement = around(call).statements.at(-1);
  return statement?.kind === 'assign' && statement.value === call && statement.targets.length === 1
    ? statement.targets[0]
    : undefined;
}

function isFrozenByAdapter({ given }: ResolvedCall, { names }: LintContext): boolean {
  const config = (keywordNamed(given, 'peft_config') ?? given.positional[1])?.value;
  const bindings = config?.kind === 'name' ? names.bindingsOf(config) : [];
  const made = bindings.length === 1 && bindings[0]?.to === 'value' ? bindings[0].value : config;
  const qualified = made?.kind === 'call' ? names.qualifiedName(made.callee) : undefined;
  return qualified !== undefined && adapterConfigs.some((name) => qualified === `peft.${name}`);
}

/** Called on the model behind its making, or by a transformers Trainer that is given this model. */
function isOn({ call, by }: Enabling, model: Expression, made: Call, { calls, around }: LintContext): boolean {
  if (by === 'method') {
    const isBehind = call.start > made.end && around(call).function === around(made).function;
    return isBehind && call.callee.kind === 'attribute' && isSamePath(call.callee.object, model);
  }
  const [trainer, ...others] = trainers(calls);
  if (trainer === undefined || others.length > 0 || !trainer.qualified.startsWith('transformers.')) return false;
  const trained = (keywordNamed(trainer.given, 'model') ?? trainer.given.positional[0])?.value;
  const isOnly = trainingArguments(calls).length === 1 && trainingArguments(calls)[0]?.call === call;
  return isOnly && trainer.call.start > made.end && trained !== undefined && isSamePath(trained, model);
}
