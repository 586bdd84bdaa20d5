import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, keywordNamed } from '../../python/arguments.ts';

const packages = ['lightning.pytorch', 'lightning.fabric', 'pytorch_lightning', 'lightning_fabric'];
const strategies = packages.flatMap((name) => [
  `${name}.strategies.FSDPStrategy`,
  `${name}.strategies.fsdp.FSDPStrategy`,
]);

export const rule: Rule = {
  code: 'AC609',
  name: 'lightning-both-policies',
  severity: 'error',
  summary: '`FSDPStrategy` with both the old and the new way of choosing what to checkpoint',
  *check({ calls, module }): Generator<Finding> {
    for (const { call, given } of calls.to(...strategies)) {
      const old = keywordNamed(given, 'activation_checkpointing');
      const policy = keywordNamed(given, 'activation_checkpointing_policy');
      if (!isSet(old) || !isSet(policy)) continue;
      const fixes: Fix[] =
        old.preset || old.argument.kind !== 'keyword'
          ? []
          : [
              {
                title: 'Remove activation_checkpointing and keep the policy',
                preferred: true,
                edits: removeArguments(module, call, [old.argument]),
              },
            ];
      yield {
        at: old.preset ? call.callee : old.argument,
        about: call,
        message:
          'raises ValueError: activation_checkpointing and activation_checkpointing_policy exclude each other; the policy is the current one',
        fixes,
      };
    }
  },
};

/** A name may stand for None, which counts as not given. */
const isSet = (keyword: GivenKeyword | undefined): keyword is GivenKeyword =>
  keyword !== undefined && ['set', 'list', 'tuple', 'lambda', 'call'].includes(keyword.value.kind);
