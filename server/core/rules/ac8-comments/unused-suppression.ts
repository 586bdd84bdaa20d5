import { removeSuppression } from '../../lint/removeSuppression.ts';
import type { CommentContext, Finding, Rule } from '../../lint/rule.ts';
import { type AskedRule, asksFor, type Suppression } from '../../lint/suppress.ts';

export const rule: Rule = {
  code: 'AC801',
  name: 'unused-suppression',
  severity: 'hint',
  summary: 'a comment that silences a rule which finds nothing there',
  *checkComments(context): Generator<Finding> {
    for (const { suppression, silenced } of context.asked) {
      const { rules, isOwn, wholeFile, span } = suppression;
      const where = wholeFile ? 'in this file' : 'here';
      if (rules === undefined) {
        // A bare `noqa` may be meant for any other tool.
        if (!isOwn || !context.isComplete || silenced.length > 0) continue;
        yield finding(context, suppression, [], span, `silences nothing: no rule finds anything ${where}`);
        continue;
      }
      const unused = rules.filter(
        (asked) => isKnown(asked, context) && !silenced.some((diagnostic) => asksFor(asked, diagnostic)),
      );
      const [first] = unused;
      if (first === undefined) continue;
      const list = unused.map(({ name }) => name).join(', ');
      const at = unused.length === rules.length ? span : first.span;
      const message = `silences nothing: ${list} ${unused.length === 1 ? 'finds' : 'find'} nothing ${where}`;
      yield finding(context, suppression, unused, at, message);
    }
  },
};

/** A rule that has looked at this file, other than this one. */
const isKnown = (asked: AskedRule, { ran }: CommentContext): boolean =>
  ran.some((one) => one.code !== rule.code && asksFor(asked, one));

function finding(
  { text }: CommentContext,
  suppression: Suppression,
  unused: readonly AskedRule[],
  at: Finding['at'],
  message: string,
): Finding {
  const all = unused.length === (suppression.rules?.length ?? 0);
  const title = all ? 'Remove the comment' : `Remove ${unused.map(({ name }) => name).join(', ')} from the comment`;
  // Another version of a library, or a wider workspace, may give the rule something to say: a person decides.
  const fixes = [{ title, preferred: false, edits: removeSuppression(text, suppression, unused) }];
  return { at, about: suppression.comment, message, fixes };
}
