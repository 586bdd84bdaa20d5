import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rule } from '../../../server/core/rules/ac1-call/wrap-every-module.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { lintText } from '../../support/lint.ts';

const model = (call: string): string => `
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing

class Block(nn.Module):
    pass

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Block() for _ in range(4)])

net = Net()
${call}
`;

test('AC111 offers the class of the repeated layers', () => {
  const block = 'lambda module: isinstance(module, Block)';
  for (const [before, after] of [
    ['apply_activation_checkpointing(net)', `apply_activation_checkpointing(net, check_fn=${block})`],
    [
      'apply_activation_checkpointing(net, check_fn=lambda m: True)',
      `apply_activation_checkpointing(net, check_fn=${block})`,
    ],
  ] as const) {
    const source = model(before);
    const [finding] = lintText(source, { rules: [rule] });
    assert.equal(finding?.fixes[0]?.preferred, false);
    const fixed = applyEdits(source, finding.fixes[0].edits);
    assert.equal(fixed, model(after));
    assert.deepEqual(lintText(fixed, { rules: [rule] }), []);
  }
});
