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
 * VS Code runs `command:` links of diagnostics, in the list of problems and beside the squiggle, and a command can show the
 * page rendered and without a network. A scheme of ours would only open its text. Other editors open web addresses alone.
 */
export function ruleLinksFor({ linksCodes, explainCommand }: ClientAbilities): RuleLinks {
  if (explainCommand === undefined)
    return { href: () => (linksCodes ? rulesOnTheWeb : undefined), explain: () => undefined };
  return {
    href: (code) =>
      linksCodes ? `command:${explainCommand}?${encodeURIComponent(JSON.stringify([code]))}` : undefined,
    explain: (code) => ({ title: `Explain ${code}`, command: explainCommand, arguments: [code] }),
  };
}

/** The table in the README, whose codes lead to the pages. */
const rulesOnTheWeb = 'https://github.com/checkpoint-lens/checkpoint-lens#rules';
