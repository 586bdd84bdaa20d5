import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { constantOf } from '../../python/constants.ts';
import { isBefore } from '../../torch/version.ts';
import { wrapperCalls } from '../wrapperCalls.ts';

export const rule: Rule = {
  code: 'AC110',
  name: 'wrapper-offload-to-cpu',
  severity: 'error',
  summary: '`offload_to_cpu`, which torch’s `checkpoint_wrapper` no longer has',
  *check(context): Generator<Finding> {
    // It was a parameter up to 1.12, and was swallowed until 2.1 began to hand keywords on.
    if (isBefore(context.versions.torch, 2, 1)) return;
    for (const { call, given, hasOwnFunction } of wrapperCalls(context)) {
      const keyword = keywordNamed(given, 'offload_to_cpu');
      if (keyword === undefined || hasOwnFunction) continue;
      const message =
        'raises in the first forward pass: torch removed offload_to_cpu, and checkpoint_wrapper hands it on to the wrapped module';
      const offloads = constantOf(keyword.value, context.names) !== false;
      const edits = removeArguments(context.module, call, [keyword.argument]);
      const title = offloads ? 'Remove offload_to_cpu (offload_wrapper does that now)' : 'Remove offload_to_cpu';
      const fixes: Fix[] = keyword.argument.kind === 'keyword' ? [{ title, preferred: !offloads, edits }] : [];
      yield { at: keyword.argument, about: call, message, fixes };
    }
  },
};
