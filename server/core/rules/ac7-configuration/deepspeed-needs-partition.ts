import { setEntry } from '../../config/setEntry.ts';
import { type ConfigMapping, entryAt, isMissing, switchAt } from '../../config/tree.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { blockOf, type DeepSpeedConfig, deepspeedDictionaries, deepspeedFile } from '../deepspeedConfigs.ts';
import { deepspeedOptions } from '../deepspeedOptions.ts';

const error = 'Contiguous Checkpointing is only available with partitioned activations';

export const rule: Rule = {
  code: 'AC701',
  name: 'deepspeed-needs-partition',
  severity: 'error',
  summary: "DeepSpeed's contiguous checkpoint memory without `partition_activations`",
  *check(context): Generator<Finding> {
    for (const config of deepspeedDictionaries(context)) yield* inConfig(config);
    for (const { call, caller, partition, contiguous } of deepspeedOptions(context.calls, context.names)) {
      if (contiguous.is !== true || partition.is !== false) continue;
      const where = caller === 'configure' ? '' : ' when training starts';
      yield { at: contiguous.at, about: call, message: `raises AssertionError${where}: ${error}`, fixes: [] };
    }
  },
  *checkConfig(context): Generator<Finding> {
    const config = deepspeedFile(context);
    if (config !== undefined) yield* inConfig(config);
  },
};

function* inConfig(config: DeepSpeedConfig): Generator<Finding> {
  const block = blockOf(config);
  const contiguous = entryAt(block, 'contiguous_memory_optimization');
  if (block === undefined || contiguous === undefined || contiguous.value.kind !== 'scalar') return;
  if (contiguous.value.value !== true || !isOff(block)) return;
  const edits = setEntry(config.text, block, 'partition_activations', config.trueLiteral);
  const fixes: Fix[] = edits === undefined ? [] : [{ title: 'Turn partition_activations on', preferred: true, edits }];
  const at = { start: contiguous.keyAt.start, end: contiguous.value.end };
  yield { at, about: at, message: `deepspeed.checkpointing.configure raises AssertionError: ${error}`, fixes };
}

const isOff = (block: ConfigMapping): boolean =>
  isMissing(block, 'partition_activations') || switchAt(block, 'partition_activations') === false;
