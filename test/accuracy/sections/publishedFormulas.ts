import rows from '../../goldens/published-formulas.json';
import { closedForms } from '../closedForms.ts';
import { type Comparison, notCoveredLines, type Section, worstBar } from '../comparison.ts';
import { productAnswer } from '../productAnswers.ts';
import { inUnit } from '../units.ts';

export interface FormulaRow {
  readonly id: string;
  readonly expected: number;
  readonly unit: string;
  /** `published` and `derived` numbers of others, `autograd` byte counts and `allocator` peaks measured for this test. */
  readonly kind: string;
  readonly formula: string;
  // biome-ignore lint/suspicious/noExplicitAny: every formula has its own arguments; closedForms.ts is where they meet.
  readonly args: any;
  readonly tolerance: { readonly abs?: number; readonly rel?: number };
  readonly source: string;
}

export const formulaRows = rows as readonly FormulaRow[];

/** Published numbers that a formula gives: by that formula, and by the product where it has such a number. */
export function publishedFormulas(): Section {
  const asked = formulaRows.filter(({ kind }) => kind !== 'allocator');
  const byFormula = asked.map((row) => compare(row, 'closed form'));
  const byProduct = asked.map((row) => compare(row, 'product'));
  const within = (comparisons: readonly Comparison[], kind: string): readonly Comparison[] =>
    comparisons.filter((_, at) => asked[at]?.kind === kind);
  return {
    title: 'Published formulas',
    comparisons: byProduct,
    bars: [
      worstBar('their formulas, as transcribed here, give the published numbers', within(byFormula, 'published'), 0),
      worstBar('and those on published configurations', within(byFormula, 'derived'), 0),
      worstBar('their counts of what a block keeps', within(byFormula, 'autograd'), 0),
      worstBar('the product gives the published numbers', within(byProduct, 'published'), 0),
      worstBar('the product on published configurations', within(byProduct, 'derived'), 0),
      worstBar('the product on what a block keeps', within(byProduct, 'autograd'), 0),
    ],
    details: notCoveredLines(byProduct),
  };
}

function compare(row: FormulaRow, by: 'closed form' | 'product'): Comparison {
  const form = closedForms[row.formula];
  const scale = (value: number): number => (form?.gives === 'bytes' ? inUnit(value, row.unit) : value);
  const answer =
    by === 'product'
      ? productAnswer(row)
      : form
        ? { value: form.compute(row.args) }
        : { notCovered: `no closed form ${row.formula}` };
  return {
    id: `${row.id}, ${by}`,
    expected: row.expected,
    unit: row.unit,
    ours: 'value' in answer ? { value: scale(answer.value) } : answer,
    tolerance: row.tolerance.abs ?? (row.tolerance.rel ?? 0) * Math.abs(row.expected),
  };
}
