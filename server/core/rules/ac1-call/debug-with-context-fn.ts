import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { constantOf } from '../../python/constants.ts';
import { isReentrant } from '../../sites/checkpointSite.ts';
import { isSetForCertain } from '../needsNonReentrant.ts';

export const rule: Rule = {
  code: 'AC115',
  name: 'debug-with-context-fn',
  severity: 'error',
  summary: '`debug=True` together with a `context_fn`',
  *check({ module, sites, names }): Generator<Finding> {
    for (const site of sites) {
      // The reentrant variant raises for either of them.
      if (site.function !== 'checkpoint' || isReentrant(site)) continue;
      const debug = keywordNamed(site.given, 'debug');
      const contexts = keywordNamed(site.given, 'context_fn');
      if (debug === undefined || contexts === undefined) continue;
      if (constantOf(debug.value, names) !== true || !isSetForCertain(contexts, names)) continue;
      const message =
        'raises ValueError: debug=True is incompatible with non-default context_fn, since debugging brings contexts of its own';
      const edits =
        debug.preset || debug.argument.kind !== 'keyword' ? [] : removeArguments(module, site.call, [debug.argument]);
      const fixes: Fix[] = edits.length === 0 ? [] : [{ title: 'Remove debug=True', preferred: true, edits }];
      yield { at: debug.preset ? site.call.callee : debug.argument, about: site.call, message, fixes };
    }
  },
};
