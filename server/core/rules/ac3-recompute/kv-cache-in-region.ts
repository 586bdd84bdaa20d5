import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { constantOf } from '../../python/constants.ts';
import { mentions } from '../../python/mentions.ts';

export const rule: Rule = {
  code: 'AC306',
  name: 'kv-cache-in-region',
  severity: 'warning',
  summary: 'a region that fills a key-value cache: the recomputation appends to it a second time',
  *check(context): Generator<Finding> {
    yield* givenToRegion(context);
    yield* wrappedFromOutside(context);
  },
};

/** `checkpoint(layer, x, use_cache=True)`. */
function* givenToRegion({ sites, names }: LintContext): Generator<Finding> {
  for (const site of sites) {
    const keyword = keywordNamed(site.given, 'use_cache');
    if (keyword === undefined || keyword.preset || constantOf(keyword.value, names) !== true) continue;
    yield {
      at: keyword.argument,
      about: site.call,
      message: `the region fills the key-value cache in forward and again in the recomputation: ${effect}`,
      fixes: [
        {
          title: 'Change to use_cache=False',
          preferred: false,
          edits: [{ span: { start: keyword.value.start, end: keyword.value.end }, text: 'False' }],
        },
      ],
    };
  }
}

/**
 * torch's wrappers around the layers of a transformers model. transformers turns the cache off for its own checkpointing
 * alone; nobody does it here, as long as the file never speaks of `use_cache`.
 */
function* wrappedFromOutside({ calls, module }: LintContext): Generator<Finding> {
  if (mentions(module, 'use_cache')) return;
  const [model] = calls.to(...causalModels.map((name) => `transformers.${name}.from_pretrained`));
  if (model === undefined) return;
  for (const { call } of calls.to(`${wrappers}.apply_activation_checkpointing`)) {
    yield {
      at: call.callee,
      about: call,
      message: `a transformers model keeps a key-value cache unless use_cache is False, and these wrappers run its update again in the recomputation: ${effect}`,
      fixes: [],
    };
  }
}

const wrappers = 'torch.distributed.algorithms._checkpoint.checkpoint_wrapper';
const causalModels = [
  'AutoModelForCausalLM',
  'LlamaForCausalLM',
  'MistralForCausalLM',
  'Qwen2ForCausalLM',
  'GemmaForCausalLM',
];
const effect = 'raises CheckpointError, the recomputed keys and values are twice as long';
