import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, keywordNamed } from '../../python/arguments.ts';
import type { Names } from '../../python/names.ts';

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
  *check({ calls, module, names }): Generator<Finding> {
    for (const { call, given } of calls.to(...strategies)) {
      const old = keywordNamed(given, 'activation_checkpointing');
      const policy = keywordNamed(given, 'activation_checkpointing_policy');
      if (!isSet(old, names) || !isSet(policy, names)) continue;
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

/** A name may stand for None, which counts as not given, unless it certainly is a class. */
const isSet = (keyword: GivenKeyword | undefined, names: Names): keyword is GivenKeyword =>
  keyword !== undefined &&
  (['set', 'list', 'tuple', 'lambda', 'call'].includes(keyword.value.kind) || isClass(keyword, names));

function isClass({ value }: GivenKeyword, names: Names): boolean {
  const { targets, complete } = names.resolve(value);
  const [only] = targets;
  if (!complete || targets.length !== 1) return false;
  return only?.definition?.kind === 'class' || /^torch\.nn\.[A-Z]\w+$/.test(only?.qualified ?? '');
}
