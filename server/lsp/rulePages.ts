import type { Connection } from 'vscode-languageserver';
import { rulePages } from '../core/rules/generated/pages.ts';
import { allRules } from '../core/rules/generated/registry.ts';
import { isRecord } from '../core/settings.ts';
import { type RuleListed, rulePageMethod, rulesMethod } from '../protocol.ts';

/** Hands rules and their pages to a client that shows them. */
export function serveRulePages(connection: Connection): void {
  connection.onRequest(rulesMethod, (): RuleListed[] =>
    allRules.map(({ code, name, severity, summary }) => ({ code, name, severity, summary })),
  );
  connection.onRequest(rulePageMethod, (params: unknown): string | null => {
    const code = isRecord(params) ? params.code : undefined;
    const rule = allRules.find((one) => one.code === code);
    return (rule && rulePages.get(rule.name)) ?? null;
  });
}
