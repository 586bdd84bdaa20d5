import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, keywordNamed } from '../../python/arguments.ts';
import { constantOf } from '../../python/constants.ts';
import { checkpointImplAs, type WrapperCall, wrapperCalls } from '../wrapperCalls.ts';

export const rule: Rule = {
  code: 'AC109',
  name: 'wrapper-use-reentrant',
  severity: 'error',
  summary: '`use_reentrant` given to `checkpoint_wrapper`, which sets it from `checkpoint_impl`',
  *check(context): Generator<Finding> {
    for (const wrapped of wrapperCalls(context)) {
      const keyword = keywordNamed(wrapped.given, 'use_reentrant');
      if (keyword === undefined || wrapped.hasOwnFunction) continue;
      const message =
        "raises TypeError: functools.partial() got multiple values for keyword argument 'use_reentrant'; checkpoint_wrapper chooses the variant by checkpoint_impl";
      yield { at: keyword.argument, about: wrapped.call, message, fixes: fixesFor(wrapped, keyword, context) };
    }
  },
};

function fixesFor({ call, given }: WrapperCall, keyword: GivenKeyword, context: LintContext): Fix[] {
  const { argument } = keyword;
  if (argument.kind !== 'keyword') return [];
  if (keywordNamed(given, 'checkpoint_impl') !== undefined || given.positional.length > 1) {
    const edits = removeArguments(context.module, call, [argument]);
    return [{ title: 'Remove use_reentrant', preferred: true, edits }];
  }
  const reentrant = constantOf(keyword.value, context.names);
  const enumeration = checkpointImplAs(context, call);
  if (typeof reentrant !== 'boolean' || enumeration === undefined) return [];
  const text = `checkpoint_impl=${enumeration}.${reentrant ? 'REENTRANT' : 'NO_REENTRANT'}`;
  const span = { start: argument.start, end: argument.end };
  return [{ title: `Change to ${text}`, preferred: true, edits: [{ span, text }] }];
}
