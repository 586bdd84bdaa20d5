import type { Finding, Rule } from '../../lint/rule.ts';
import { deepspeedOptions } from '../deepspeedOptions.ts';

export const rule: Rule = {
  code: 'AC705',
  name: 'deepspeed-partition-without-mp',
  severity: 'warning',
  summary: "DeepSpeed's `partition_activations` where no model parallelism shares the pieces",
  *check({ calls, names }): Generator<Finding> {
    for (const { call, caller, partition, isWhole } of deepspeedOptions(calls, names)) {
      if (partition.is !== true || !isWhole) continue;
      const why = caller === 'configure' ? 'mpu_ is None' : 'Lightning hands mpu_=None to DeepSpeed';
      const message = `saves no memory and copies each checkpoint once more: ${why}, so each device keeps the whole of it`;
      yield { at: partition.at, about: call, message, fixes: [] };
    }
  },
};
