import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { mentions } from '../../python/mentions.ts';
import { isBefore } from '../../torch/version.ts';
import { constantGiven, trainingArguments } from '../trainingArguments.ts';

const container = 'gradient_checkpointing_kwargs';

export const rule: Rule = {
  code: 'AC603',
  name: 'hf-implicit-reentrant',
  severity: 'warning',
  summary: '`gradient_checkpointing=True` without options where transformers 4 then runs reentrant',
  *check(context): Generator<Finding> {
    const { calls, names, module, versions } = context;
    const version = versions.transformers;
    // Since 5.0 the default is the other variant, and an unknown version counts as current; before 4.35 there are no options.
    if (version === undefined || version.major !== 4 || isBefore(version, 4, 35)) return;
    for (const config of trainingArguments(calls)) {
      if (constantGiven(config, 'gradient_checkpointing', names) !== true) continue;
      if (config.given.openKeywords || keywordNamed(config.given, container) !== undefined) continue;
      if (mentions(module, `.${container}`)) continue;
      const keyword = keywordNamed(config.given, 'gradient_checkpointing');
      if (keyword === undefined) continue;
      yield {
        at: keyword.preset ? config.call.callee : keyword.argument,
        about: config.call,
        message: `without ${container} transformers ${version.major}.${version.minor} takes the reentrant variant, transformers 5 the other one`,
        fixes: fixesFor(context, config.call),
      };
    }
  },
};

function fixesFor({ module }: LintContext, call: Parameters<typeof addKeyword>[1]): Fix[] {
  return [false, true].flatMap((reentrant) => {
    const value = reentrant ? 'True' : 'False';
    const edits = addKeyword(module, call, `${container}={"use_reentrant": ${value}}`);
    const title = `Add ${container}={"use_reentrant": ${value}}${reentrant ? " (keeps today's behaviour)" : ''}`;
    return edits === undefined ? [] : [{ title, preferred: !reentrant, edits }];
  });
}
