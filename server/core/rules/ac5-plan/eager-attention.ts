import type { Finding, Rule } from '../../lint/rule.ts';
import { mentions } from '../../python/mentions.ts';
import { bytesText } from '../../report/quantities.ts';
import { quotedBudget } from '../quotedBudget.ts';

const eager = /(["'])eager\1/;

/** Less than this is lost among everything else a step holds. */
const worthSayingBytes = 1e9;

export const rule: Rule = {
  code: 'AC507',
  name: 'eager-attention',
  severity: 'information',
  summary: 'eager attention where its scores take gigabytes',
  takesLong: true,
  *check(context): Generator<Finding> {
    // What the run is about takes long to find out, and few files ask for this.
    if (!mentions(context.module, eager) || !mentions(context.module, 'attn_implementation')) return;
    const budget = quotedBudget(context);
    if (budget === undefined) return;
    const { attention, checkpointing } = budget.facts.run;
    if (attention.value !== 'eager' || attention.origin.kind !== 'literal') return;
    const fused = budget.with({ attention: 'sdpa' });
    if (fused === undefined) return;
    const { mode, segment } = checkpointing.value;
    const isFull = mode === 'full';
    const peak = (account: typeof fused): number =>
      (isFull ? account.peaksBySegment[segment - 1] : account.savedBytes) ?? account.savedBytes;
    const more = peak(budget.account) - peak(fused);
    if (more < worthSayingBytes) return;
    const { span } = attention.origin.place;
    yield {
      at: span,
      about: span,
      message: `eager attention keeps the scores of every head: ${bytesText(more)} more ${isFull ? 'at the peak' : 'for backward'} than sdpa (${budget.setting})`,
      fixes: [
        {
          title: 'Change to "sdpa"',
          preferred: false,
          edits:
            context.module.text.slice(span.start, span.end) === '"eager"'
              ? [{ span, text: '"sdpa"' }]
              : [{ span, text: "'sdpa'" }],
        },
      ],
    };
  },
};
