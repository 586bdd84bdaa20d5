import { type ConfigMapping, entryAt, isMissing, scalarAt } from '../../config/tree.ts';
import type { Finding, Rule } from '../../lint/rule.ts';
import { blockOf, type DeepSpeedConfig, deepspeedDictionaries, deepspeedFile } from '../deepspeedConfigs.ts';
import { deepspeedOptions } from '../deepspeedOptions.ts';

const error =
  'leaves no room for any checkpoint: raises AssertionError, in older versions IndexError once a layer is checkpointed';

export const rule: Rule = {
  code: 'AC702',
  name: 'deepspeed-needs-number',
  severity: 'error',
  summary: "DeepSpeed's contiguous checkpoint memory without the number of checkpoints",
  *check(context): Generator<Finding> {
    for (const config of deepspeedDictionaries(context)) yield* inConfig(config);
    for (const { call, caller, partition, contiguous, hasNumber } of deepspeedOptions(context.calls, context.names)) {
      if (contiguous.is !== true || partition.is !== true || hasNumber) continue;
      const message = caller === 'configure' ? error : `${error}, and Lightning hands none on`;
      yield { at: contiguous.at, about: call, message, fixes: [] };
    }
  },
  *checkConfig(context): Generator<Finding> {
    const config = deepspeedFile(context);
    if (config !== undefined) yield* inConfig(config);
  },
};

/** Only information: code that hands `num_checkpoints` to `configure` makes such a block complete. */
function* inConfig(config: DeepSpeedConfig): Generator<Finding> {
  const block = blockOf(config);
  const contiguous = entryAt(block, 'contiguous_memory_optimization');
  if (block === undefined || contiguous === undefined || scalarAt(block, contiguous.key)?.value !== true) return;
  if (scalarAt(block, 'partition_activations')?.value !== true || !hasNoNumber(block)) return;
  const at = { start: contiguous.keyAt.start, end: contiguous.value.end };
  const message =
    'needs number_checkpoints here, or num_checkpoints in the call of deepspeed.checkpointing.configure, which raises AssertionError otherwise';
  yield { at, about: at, severity: 'information', message, fixes: [] };
}

const hasNoNumber = (block: ConfigMapping): boolean =>
  isMissing(block, 'number_checkpoints') || scalarAt(block, 'number_checkpoints')?.value === null;
