import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, keywordNamed } from '../../python/arguments.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import { checkpointKeywords, sequentialKeywords } from '../../torch/checkpointApi.ts';
import { misspeltOption } from '../../torch/misspeltOption.ts';

export const rule: Rule = {
  code: 'AC107',
  name: 'sequential-options',
  severity: 'error',
  summary: 'a keyword that `checkpoint_sequential` does not take',
  *check(context): Generator<Finding> {
    for (const site of context.sites) {
      if (site.function !== 'checkpoint_sequential') continue;
      const unknown = site.given.keywords.filter(({ name }) => !sequentialKeywords.has(name));
      const names = unknown.map(({ name }) => name).join(',');
      for (const keyword of unknown) {
        const at = keyword.preset ? site.call.callee : keyword.argument;
        const message = `raises ValueError: Unexpected keyword arguments: ${names}; ${reason(keyword)}`;
        yield { at, about: site.call, message, fixes: fixesFor(site, keyword, context) };
      }
    }
  },
};

function reason({ name }: GivenKeyword): string {
  const option = meantOption(name);
  if (option !== undefined) return `the option is ${option}`;
  return checkpointKeywords.has(name)
    ? `${name} is an option of checkpoint alone`
    : 'checkpoint_sequential hands none on to the modules';
}

/** An option `checkpoint_sequential` has; what only `checkpoint` has would raise when spelt right as well. */
function meantOption(name: string): string | undefined {
  const option = misspeltOption(name);
  return option !== undefined && sequentialKeywords.has(option) ? option : undefined;
}

function fixesFor(site: CheckpointSite, { name, argument, preset }: GivenKeyword, { module }: LintContext): Fix[] {
  if (preset || argument.kind !== 'keyword') return [];
  const option = meantOption(name);
  if (option !== undefined) {
    if (keywordNamed(site.given, option) !== undefined) return [];
    const { start, end } = argument.name;
    return [{ title: `Rename to ${option}`, preferred: true, edits: [{ span: { start, end }, text: option }] }];
  }
  if (!checkpointKeywords.has(name)) return [];
  return [{ title: `Remove ${name}`, preferred: true, edits: removeArguments(module, site.call, [argument]) }];
}
