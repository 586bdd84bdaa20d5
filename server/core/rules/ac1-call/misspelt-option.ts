import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, keywordNamed } from '../../python/arguments.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import { misspeltOption } from '../../torch/misspeltOption.ts';

export const rule: Rule = {
  code: 'AC104',
  name: 'misspelt-option',
  severity: 'error',
  summary: 'a keyword one or two edits from an option of `checkpoint`',
  *check(context): Generator<Finding> {
    for (const site of context.sites) {
      if (site.function !== 'checkpoint') continue;
      for (const keyword of site.given.keywords) {
        const option = misspeltOption(keyword.name);
        if (option === undefined) continue;
        const message = effect(site, keyword, option, context);
        if (message === undefined) continue;
        const at = keyword.preset ? site.call.callee : nameOf(keyword);
        yield { at, about: site.call, message, fixes: rename(site, keyword, option) };
      }
    }
  },
};

/** Undefined where the function really has a parameter of that name. */
function effect(
  site: CheckpointSite,
  { name }: GivenKeyword,
  option: string,
  context: LintContext,
): string | undefined {
  const called = site.configuresOnly ? undefined : context.region(site).entry?.callable;
  if (called?.parameters.some((parameter) => parameter.form === 'plain' && parameter.name === name)) return undefined;
  const meant = `torch's option is ${option}`;
  const variantGiven = keywordNamed(site.given, 'use_reentrant') !== undefined || site.given.openKeywords;
  if (site.configuresOnly) return `checkpoint has no option ${name}: ${meant}`;
  if (!variantGiven || isReentrant(site)) return `raises ValueError: Unexpected keyword arguments: ${name}; ${meant}`;
  const isRefused = called?.parameters.every((parameter) => parameter.form !== 'dict');
  return isRefused
    ? `raises TypeError: the function gets an unexpected keyword argument '${name}'; ${meant}`
    : `${name} goes on to the function, and torch never sees it: ${meant}`;
}

const nameOf = ({ argument }: GivenKeyword): GivenKeyword['argument'] | { start: number; end: number } =>
  argument.kind === 'keyword' ? argument.name : argument;

function rename({ given }: CheckpointSite, { argument, preset }: GivenKeyword, option: string): Fix[] {
  if (preset || argument.kind !== 'keyword' || keywordNamed(given, option) !== undefined) return [];
  const { start, end } = argument.name;
  return [{ title: `Rename to ${option}`, preferred: true, edits: [{ span: { start, end }, text: option }] }];
}
