import type { DocumentLink } from 'vscode-languageserver';
import type { Rule } from '../../core/lint/rule.ts';
import { asksFor, mayAskForSilence, suppressionsOf } from '../../core/lint/suppress.ts';
import type { Module } from '../../core/python/ast.ts';
import { plainMarkdown } from '../../core/report/plainMarkdown.ts';
import { allRules } from '../../core/rules/generated/registry.ts';
import type { Places } from '../places.ts';
import type { RuleLinks } from '../ruleLinks.ts';

/** From a rule that a comment silences to the rule's page. `module` is asked for where there is such a comment at all. */
export function documentLinks(text: string, module: () => Module, places: Places, links: RuleLinks): DocumentLink[] {
  if (!mayAskForSilence(text)) return [];
  return suppressionsOf(module().comments).flatMap(({ rules = [] }) =>
    rules.flatMap((asked) => {
      const rule = allRules.find((one: Rule) => asksFor(asked, one));
      const target = rule && links.href(rule.code);
      const range = target === undefined ? undefined : places.at(asked.span)?.range;
      return rule === undefined || target === undefined || range === undefined
        ? []
        : [{ range, target, tooltip: `${rule.code}: ${plainMarkdown(rule.summary)}` }];
    }),
  );
}
