import type { Command } from 'vscode-languageserver';
import { rulePageScheme } from '../protocol.ts';
import type { ClientAbilities } from './clientAbilities.ts';

/** How a person gets from a finding to its rule's page. */
export interface RuleLinks {
  /** What a click on the code opens; undefined where the client makes no links of codes. */
  href(code: string): string | undefined;
  /** For a menu; undefined where the client has no command for it. */
  explain(code: string): Command | undefined;
}

/**
 * Our client shows pages itself, rendered and without a network. A `command:` link would do so from the list of problems, but
 * VS Code drops it without a word in a hover. Other editors open web addresses alone.
 */
export function ruleLinksFor({ linksCodes, explainCommand }: ClientAbilities): RuleLinks {
  if (explainCommand === undefined)
    return { href: () => (linksCodes ? rulesOnTheWeb : undefined), explain: () => undefined };
  return {
    href: (code) => (linksCodes ? `${rulePageScheme}:/${code}.md` : undefined),
    explain: (code) => ({ title: `Explain ${code}`, command: explainCommand, arguments: [code] }),
  };
}

/** The table in the README, whose codes lead to the pages. */
const rulesOnTheWeb = 'https://github.com/checkpoint-lens/checkpoint-lens#rules';
