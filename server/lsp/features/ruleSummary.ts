import type { Diagnostic } from '../../core/lint/rule.ts';
import { rulePages } from '../../core/rules/generated/pages.ts';
import { settingsSection } from '../../core/settings.ts';

/**
 * The short form of a rule's page in Markdown: its name, the first paragraph of its reasons, the versions it holds for, and
 * how to switch it off. `takesComments` is false for text in which a comment may not stand.
 */
export function ruleSummary({ code, name }: Pick<Diagnostic, 'code' | 'name'>, takesComments: boolean): string {
  const page = rulePages.get(name) ?? '';
  const setting = `\`"${code}": "off"\` in the setting \`${settingsSection}.rules\``;
  return [
    `**${name} (${code})**`,
    firstParagraph(page, 'Why'),
    `Holds for: ${/^- Holds for: (.*)$/m.exec(page)?.[1] ?? 'all versions'}`,
    `Switch off: ${takesComments ? `\`# noqa: ${code}\` on the line, or ` : ''}${setting}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** On one line: some editors break lines where the page does. */
function firstParagraph(page: string, heading: string): string {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return (section.trim().split(/\n\s*\n/)[0] ?? '').replaceAll(/\s*\n\s*/g, ' ');
}
