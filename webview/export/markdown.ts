import { budgetJson } from '../../server/core/report/budgetJson.ts';
import { problemText } from '../../server/core/states/problems.ts';
import type { BudgetView, Whole } from '../derive.ts';
import { formatBytes, formatCount, formatExtra } from '../format.ts';
import { t } from '../l10n.ts';
import { headline } from '../verdict.ts';
import { momentInWords, strategyLabel } from '../words.ts';

/** What the panel says, as Markdown for an issue or a chat. */
export function panelMarkdown(view: BudgetView): string {
  const { model, run, whole } = view;
  const { verdict, how, advice } = headline(view);
  const sections = [
    `**${escaped(model.name.value)}**: ${verdict}`,
    t(
      'Batch {0}, sequence {1}, {2}, attention {3}, {4}',
      formatCount(run.batch.value),
      formatCount(run.sequence.value),
      run.dataType.value,
      run.attention.value,
      how,
    ),
    ...(whole === undefined ? [] : [partsTable(whole, view), strategiesTable(whole, view)]),
    ...(advice.length === 0 ? [] : [advice.join(' ')]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** The same JSON as the command line's `budget --format json`. */
export function panelJson({ model, run, budget, whole, advice, shown, problems }: BudgetView): string {
  return budgetJson({
    model,
    run,
    budget,
    assessment: whole,
    advice: advice.isPending ? undefined : advice.advice,
    notes: [...(shown.facts?.notes ?? []), ...budget.notes, ...problems.map(problemText)],
  });
}

function partsTable({ now, parts }: Whole, { units }: BudgetView): string {
  return table(
    [t('Memory at the peak, {0}', momentInWords(now.peak.phase)), ''],
    [
      ...parts.map(({ label, bytes, isLowered }) => [
        isLowered ? `${t(label)} *` : t(label),
        formatBytes(bytes, units),
      ]),
      [`**${t('Expected total')}**`, `**${formatBytes(now.range.expected, units)}**`],
      [t('Range'), t('{0} to {1}', formatBytes(now.range.low, units), formatBytes(now.range.high, units))],
    ],
    `\n\n\\* ${t('what checkpointing works on')}`,
  );
}

function strategiesTable({ strategies, verdict }: Whole, { units }: BudgetView): string {
  const outcomes = { fits: t('fits'), tight: t('may fit'), over: t('over') };
  return table(
    [t('Strategy'), t('Total'), t('Step'), ...(verdict === undefined ? [] : [t('Fits')])],
    strategies.map(({ name, segment, total, extraStep, verdict: judged }) => [
      name === 'full' ? `${strategyLabel(name)}, k = ${segment}` : strategyLabel(name),
      formatBytes(total.range.expected, units),
      extraStep === 0 ? '–' : formatExtra(extraStep),
      ...(judged === undefined ? [] : [outcomes[judged.outcome]]),
    ]),
  );
}

function table(header: readonly string[], rows: readonly (readonly string[])[], after = ''): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  const rule = `|${header.map((_, at) => (at === 0 ? '---' : '--:')).join('|')}|`;
  return `${[line(header), rule, ...rows.map(line)].join('\n')}${after}`;
}

const escaped = (text: string): string => text.replaceAll('|', '\\|');
