import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixAll } from '../../../server/core/lint/fixAll.ts';
import type { Rule } from '../../../server/core/lint/rule.ts';
import { rule as calledNotPassed } from '../../../server/core/rules/ac1-call/called-not-passed.ts';
import { rule as implicitUseReentrant } from '../../../server/core/rules/ac1-call/implicit-use-reentrant.ts';
import { rule as misalignedArguments } from '../../../server/core/rules/ac1-call/misaligned-arguments.ts';
import { rule as misspeltOption } from '../../../server/core/rules/ac1-call/misspelt-option.ts';
import { rule as moduleCalled } from '../../../server/core/rules/ac1-call/module-called.ts';
import { rule as ignoredOption } from '../../../server/core/rules/ac1-call/reentrant-ignored-option.ts';
import { rule as keywordArguments } from '../../../server/core/rules/ac1-call/reentrant-keyword-arguments.ts';
import { rule as sequentialOptions } from '../../../server/core/rules/ac1-call/sequential-options.ts';
import { rule as selective } from '../../../server/core/rules/ac2-reentrant/reentrant-selective.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { lintText } from '../../support/lint.ts';

const rules: readonly Rule[] = [
  calledNotPassed,
  ignoredOption,
  implicitUseReentrant,
  keywordArguments,
  misspeltOption,
  moduleCalled,
  selective,
  sequentialOptions,
];
const imports = 'from torch.utils.checkpoint import checkpoint, checkpoint_sequential\n\n';
const check = (text: string) => lintText(text, { rules });

const together: readonly [title: string, before: string, codes: string, after: string][] = [
  [
    'a misspelt variant has one finding',
    'checkpoint(f, x, use_rentrant=False)',
    'AC104',
    'checkpoint(f, x, use_reentrant=False)',
  ],
  [
    'and hides what the right spelling allows',
    'checkpoint(f, x, use_rentrant=False, mask=m, context_fn=lambda: c)',
    'AC104',
    'checkpoint(f, x, use_reentrant=False, mask=m, context_fn=lambda: c)',
  ],
  [
    'a misspelt option is no keyword argument',
    'checkpoint(f, x, use_reentrant=True, preserve_rng_stat=False)',
    'AC104',
    'checkpoint(f, x, use_reentrant=True, preserve_rng_state=False)',
  ],
  [
    'an ignored option counts once the variant is chosen',
    'checkpoint(f, x, determinism_check="none")',
    'AC101 AC103',
    'checkpoint(f, x, determinism_check="none", use_reentrant=False)',
  ],
  [
    'checkpoint_sequential is left to its own rule',
    'checkpoint_sequential(f, 2, x, use_reentrant=True, debug=True, early_stop=False)',
    'AC107 AC107',
    'checkpoint_sequential(f, 2, x, use_reentrant=True)',
  ],
];

for (const [title, before, codes, after] of together) {
  test(`rules agree: ${title}`, () => {
    const found = check(`${imports}y = ${before}\n`);
    assert.equal(found.map(({ code }) => code).join(' '), codes);
    assert.equal(fixAll(`${imports}y = ${before}\n`, check).text, `${imports}y = ${after}\n`);
  });
}

test('AC106 leaves nothing for AC101 to ask', () => {
  const { text } = fixAll('import torch.utils.checkpoint\n\ny = torch.utils.checkpoint(f, x)\n', check);
  assert.match(text, /torch\.utils\.checkpoint\.checkpoint\(f, x, use_reentrant=False\)/);
  assert.deepEqual(check(text), []);
});

test('AC101 prefers no variant where ZeRO-3 meets frozen parameters', () => {
  const source = `import deepspeed
from peft import LoraConfig, get_peft_model
from torch.utils.checkpoint import checkpoint

def main(model, x):
    model = get_peft_model(model, LoraConfig(r=8))
    engine = deepspeed.initialize(model=model, config={"zero_optimization": {"stage": 3}})
    return checkpoint(engine, x)
`;
  const preferred = (deepspeed?: string): boolean[] =>
    lintText(source, { rules: [implicitUseReentrant], versions: deepspeed === undefined ? {} : { deepspeed } }).flatMap(
      ({ fixes }) => fixes.map((fix) => fix.preferred),
    );
  assert.deepEqual(preferred(), [false, false]);
  assert.deepEqual(preferred('0.18'), [false, false]);
  assert.deepEqual(preferred('0.20'), [true, false]);
});

test('AC116 passes by the names of the other branch', () => {
  const source = (call: string): string => `from torch import nn
from torch.utils.checkpoint import checkpoint

class Layer(nn.Module):
    def forward(self, hidden, mask=None, head_mask=None, flag=False):
        return hidden

class Net(nn.Module):
    def __init__(self):
        self.layer = Layer()

    def forward(self, hidden, mask, flag):
        if self.training:
            return ${call}
        else:
            return self.layer(hidden, mask=mask, flag=flag)
`;
  const before = source('checkpoint(self.layer, hidden, mask, flag, use_reentrant=False)');
  const [finding] = lintText(before, { rules: [misalignedArguments] });
  const [fix] = finding?.fixes ?? [];
  assert.ok(fix !== undefined && !fix.preferred);
  const after = applyEdits(before, fix.edits);
  assert.equal(after, source('checkpoint(self.layer, hidden, mask, flag=flag, use_reentrant=False)'));
  assert.deepEqual(lintText(after, { rules: [misalignedArguments] }), []);
});
