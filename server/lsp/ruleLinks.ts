import type { Command } from 'vscode-languageserver';
import type { ClientAbilities } from './clientAbilities.ts';

/** How a person gets from a finding to its rule's page. */
export interface RuleLinks {
  /** What a click on the code opens; undefined where the client makes no links of codes. */
  href(code: string): string | undefined;
  /** For a menu; undefined where the client has no command for it. */
  explain(code: string): Command | undefined;
}

/**
 * Our client shows pages itself, without a network. VS Code drops `command:` links in a hover without a word, so that they are
 * for where it can show no page under an address. Other editors open web addresses alone.
 */
export function ruleLinksFor({ linksCodes, explainCommand, rulePageScheme }: ClientAbilities): RuleLinks {
  if (explainCommand === undefined)
    return { href: () => (linksCodes ? rulesOnTheWeb : undefined), explain: () => undefined };
  const pageOf = (code: string): string =>
    rulePageScheme === undefined
      ? `command:${explainCommand}?${encodeURIComponent(JSON.stringify([code]))}`
      : `${rulePageScheme}:/${code}.md`;
  return {
    href: (code) => (linksCodes ? pageOf(code) : undefined),
    explain: (code) => ({ title: `Explain ${code}`, command: explainCommand, arguments: [code] }),
  };
}

/** The table in the README, whose codes lead to the pages. */
const rulesOnTheWeb = 'https://github.com/checkpoint-lens/checkpoint-lens#rules';
