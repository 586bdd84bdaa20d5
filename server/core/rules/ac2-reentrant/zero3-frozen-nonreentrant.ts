import type { Finding, Rule } from '../../lint/rule.ts';
import { setUseReentrant } from '../../lint/setUseReentrant.ts';
import { isBefore, versionText } from '../../torch/version.ts';
import { enablings } from '../huggingFaceVariant.ts';
import { setTransformersVariant } from '../nonReentrantOptions.ts';
import { partitionsFrozenParameters } from '../zeroStage3.ts';

export const rule: Rule = {
  code: 'AC209',
  name: 'zero3-frozen-nonreentrant',
  severity: 'warning',
  summary: 'non-reentrant checkpoints over frozen parameters that an older DeepSpeed partitions with ZeRO-3',
  *check(context): Generator<Finding> {
    const { module, sites, versions } = context;
    const version = versions.deepspeed;
    if (version === undefined || !isBefore(version, 0, 19, 3) || !partitionsFrozenParameters(context)) return;
    const message = `raises CheckpointError in the backward pass: ZeRO-3 of DeepSpeed ${versionText(version)} has emptied the frozen parameters again before the recomputation is compared`;
    for (const enabling of enablings(context)) {
      if (enabling.reentrant !== false) continue;
      const at = enabling.options ?? enabling.call.callee;
      yield { at, about: enabling.call, message, fixes: setTransformersVariant(enabling, true, context) };
    }
    for (const site of sites) {
      if (site.useReentrant.kind !== 'known' || site.useReentrant.reentrant || site.useReentrant.preset) continue;
      const edits = setUseReentrant(module, site, true);
      const fixes = edits === undefined ? [] : [{ title: 'Change to use_reentrant=True', preferred: false, edits }];
      yield { at: site.call.callee, about: site.call, message, fixes };
    }
  },
};
