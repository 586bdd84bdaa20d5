import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { setUseReentrant } from '../../lint/setUseReentrant.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import { isFullyShardedModule } from '../fullyShardedModule.ts';

const wrapperModule = 'torch.distributed.algorithms._checkpoint.checkpoint_wrapper';

const message =
  'a reentrant region around an FSDP module gathers its parameters three times a step instead of twice; put FSDP around the region';

const aroundSharded = Symbol('reentrant region around a module that FSDP shards');

export const rule: Rule = {
  code: 'AC605',
  name: 'wrap-order',
  severity: 'warning',
  summary: 'a reentrant region around a module that FSDP shards',
  *check(context): Generator<Finding> {
    const { calls, module, names } = context;
    for (const { call, given } of calls.to(`${wrapperModule}.checkpoint_wrapper`)) {
      const implementation = keywordNamed(given, 'checkpoint_impl') ?? given.positional[1];
      const wrapped = keywordNamed(given, 'module') ?? given.positional[0];
      if (implementation === undefined || wrapped === undefined) continue;
      if (names.qualifiedName(implementation.value) !== `${wrapperModule}.CheckpointImpl.REENTRANT`) continue;
      if (!isFullyShardedModule(context, wrapped.value)) continue;
      const { value } = implementation;
      const fixes: Fix[] =
        value.kind === 'attribute' && !implementation.preset
          ? [
              {
                title: 'Change to CheckpointImpl.NO_REENTRANT, which gathers no third time',
                preferred: true,
                edits: [{ span: { start: value.attribute.start, end: value.attribute.end }, text: 'NO_REENTRANT' }],
              },
            ]
          : [];
      yield { at: call.callee, about: call, message, fixes };
    }
    const isAroundSharded = (site: CheckpointSite): boolean => {
      const wrapped = keywordNamed(site.given, 'function') ?? site.given.positional[0];
      if (site.function !== 'checkpoint' || !isReentrant(site) || wrapped === undefined) return false;
      return isFullyShardedModule(context, wrapped.value);
    };
    for (const site of context.sitesWhere(aroundSharded, isAroundSharded)) {
      const edits = setUseReentrant(module, site, false);
      const title = 'Set use_reentrant=False, which gathers no third time';
      yield {
        at: site.call.callee,
        about: site.call,
        message,
        fixes: edits === undefined ? [] : [{ title, preferred: true, edits }],
      };
    }
  },
};
