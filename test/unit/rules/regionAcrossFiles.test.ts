import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lint } from '../../../server/core/lint/engine.ts';
import type { Rule } from '../../../server/core/lint/rule.ts';
import { rule as batchNorm } from '../../../server/core/rules/ac3-recompute/batchnorm-in-region.ts';
import { rule as dropout } from '../../../server/core/rules/ac3-recompute/dropout-without-rng.ts';
import { rule as inPlace } from '../../../server/core/rules/ac3-recompute/in-place-on-input.ts';
import { rule as sideEffect } from '../../../server/core/rules/ac3-recompute/side-effect-in-region.ts';
import { rule as randomness } from '../../../server/core/rules/ac3-recompute/unpreserved-randomness.ts';
import { workspaceOf } from '../../support/workspace.ts';

const model = `from torch import nn
from torch.utils.checkpoint import checkpoint
from blocks import Block

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(8)

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=False, preserve_rng_state=False)
`;

const block = (...lines: string[]): string => `import random
from torch import nn

class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear = nn.Linear(size, size)
        self.drop = nn.Dropout(0.1)
        self.norm = nn.BatchNorm1d(size)
        self.seen = []

    def forward(self, x):
${lines.map((line) => `        ${line}\n`).join('')}`;

function messages(rule: Rule, ...lines: string[]): string[] {
  const workspace = workspaceOf({ 'model.py': model, 'blocks.py': block(...lines) });
  const file = workspace.file('/w/model.py');
  if (file === undefined) throw new Error('the model is there');
  const onCrash = (_: Rule, error: unknown): void => {
    throw error;
  };
  return lint(file, { rules: [rule], versions: {}, workspace, severities: {}, onCrash }).map((finding) => {
    assert.equal(
      model.slice(finding.at.start, finding.at.start + 10).startsWith(rule === dropout ? 'preserve' : 'checkpoint'),
      true,
    );
    return finding.message;
  });
}

test('a finding about code of another file stands at the checkpoint call and says where', () => {
  assert.match(
    messages(randomness, 'return self.linear(x) * random.random()')[0] ?? '',
    /Block\.forward of blocks\.py, line 13/,
  );
  assert.match(
    messages(sideEffect, 'self.seen.append(x)', 'return self.linear(x)')[0] ?? '',
    /self\.seen\.append .*line 13/,
  );
  assert.match(
    messages(inPlace, 'x.add_(1)', 'return self.linear(x)')[0] ?? '',
    /x\.add_\(\) in Block\.forward of blocks\.py/,
  );
  assert.match(messages(batchNorm, 'return self.norm(x)')[0] ?? '', /BatchNorm1d \(blocks\.py line 9\)/);
  assert.match(messages(dropout, 'return self.drop(x)')[0] ?? '', /Dropout\(p=0\.1\) \(blocks\.py line 8\)/);
});

test('a block that does none of it is quiet', () => {
  for (const rule of [randomness, sideEffect, inPlace, batchNorm, dropout]) {
    assert.deepEqual(messages(rule, 'return self.linear(x)'), []);
  }
});
