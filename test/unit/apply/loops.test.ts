import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPlaces } from '../../../server/core/apply/applyStrategy.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { parsePython } from '../../support/python.ts';
import { full, none, policy, put, reading, segments, sequential } from './applied.ts';

/** A decoder written by hand, small enough to read and whole enough to run. */
const model = (loop: string, imports = ''): string => `import torch
import torch.nn as nn
${imports}

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, width)

    def forward(self, x, mask=None):
        return x + torch.relu(self.linear(self.norm(x)))


class Net(nn.Module):
    def __init__(self, width=8, layers=4):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(layers)])

    def forward(self, x, mask=None):
${loop}
        return x
`;

const plain = `        for block in self.blocks:
            x = block(x, mask)  # one layer`;

test('a loop over layers is checkpointed where its layer is called', () => {
  assert.equal(
    put(model(plain), full),
    model(
      `        for block in self.blocks:
            x = checkpoint(block, x, mask, use_reentrant=False)  # one layer`,
      'from torch.utils.checkpoint import checkpoint\n',
    ).replace('checkpoint\n\n\n\n', 'checkpoint\n\n\n'),
  );
});

test('none takes out what full wrote, and the import with it', () => {
  for (const chosen of [full, segments(2), policy]) {
    const there = put(model(plain), chosen);
    assert.notEqual(there, model(plain));
    assert.equal(put(there, none), model(plain));
  }
});

test('the same strategy twice changes nothing', () => {
  for (const chosen of [full, segments(3), policy]) {
    const once = put(model(plain), chosen);
    assert.ok(!once.startsWith('cannot'), once);
    assert.equal(put(once, chosen), once);
  }
});

test('segments run a function of several layers', () => {
  const edited = put(model(plain), segments(2));
  assert.ok(
    edited.includes(`        def run_segment(start, x):
            for block in self.blocks[start : start + 2]:
                x = block(x, mask)  # one layer
            return x

        for start in range(0, len(self.blocks), 2):
            x = checkpoint(run_segment, start, x, use_reentrant=False)
        return x
`),
    edited,
  );
  const longer = put(edited, segments(4));
  assert.ok(longer.includes('range(0, len(self.blocks), 4)') && longer.includes('start + 4]'), longer);
});

test('segments take the place of a checkpoint around each layer', () => {
  for (const written of ['x, mask', 'x, mask, use_reentrant=True', 'x, mask, use_reentrant=False'])
    assert.equal(
      put(
        model(
          `        for block in self.blocks:
            x = checkpoint(block, ${written})  # one layer`,
          'from torch.utils.checkpoint import checkpoint\n',
        ),
        segments(2),
      ),
      put(model(plain), segments(2)),
    );
  assert.equal(
    put(put(model(plain), policy), segments(2)).replace('from functools import partial\n', ''),
    put(model(plain), segments(2)),
  );
  const kept = model(
    '        for block in self.blocks:\n            x = checkpoint(block, x, preserve_rng_state=False, use_reentrant=False)',
    'from torch.utils.checkpoint import checkpoint\n',
  );
  assert.match(put(kept, segments(2)), /^cannot: .*has preserve_rng_state, which would be lost/);
});

test('a layout of one argument a line is kept', () => {
  const edited = put(
    model(`        for index, block in enumerate(self.blocks):
            x = block(
                x,
                mask=mask,
            )`),
    full,
  );
  assert.ok(
    edited.includes(`            x = checkpoint(
                block,
                x,
                mask=mask,
                use_reentrant=False,
            )`),
    edited,
  );
});

test('a policy is a list of operations below the imports', () => {
  const edited = put(model(plain), policy);
  assert.ok(edited.includes('from functools import partial'), edited);
  assert.ok(edited.includes('import checkpoint, create_selective_checkpoint_contexts'), edited);
  assert.ok(edited.includes('saved_operations = [\n    torch.ops.aten.mm.default,\n'), edited);
  assert.ok(edited.includes('checkpoint(block, x, mask, use_reentrant=False, context_fn=selective_contexts)'), edited);
  const again = put(edited, full);
  assert.equal(again, put(model(plain), full));
  assert.match(put(model(plain), policy, { versions: { torch: '2.3' } }), /^cannot: .*needs torch 2\.5/);
});

test('a loop that only hands on becomes checkpoint_sequential, and back where it can be called', () => {
  const simple = model('        for block in self.blocks:\n            x = block(x)');
  assert.match(put(simple, sequential(2)), /^cannot: the number of layers is not known/);
  const edited = put(simple, sequential(2), { layers: 4 });
  assert.ok(
    edited.includes('        x = checkpoint_sequential(self.blocks, 2, x, use_reentrant=False)\n        return x'),
    edited,
  );
  assert.ok(put(edited, sequential(1), { layers: 4 }).includes('(self.blocks, 4, x,'));
  const called = edited.replace(
    'nn.ModuleList([Block(width) for _ in range(layers)])',
    'nn.Sequential(*[Block(width) for _ in range(layers)])',
  );
  assert.ok(put(called, none).includes('        x = self.blocks(x)\n'), put(called, none));
});

test('checkpoint_sequential takes over a loop that checkpoints each layer, with its import', () => {
  const simple = model('        for block in self.blocks:\n            x = block(x)');
  const wanted = put(simple, sequential(2), { layers: 4 });
  for (const chosen of [full, policy]) {
    const edited = put(put(simple, chosen), sequential(2), { layers: 4 });
    assert.equal(edited, wanted);
  }
  const other = 'from torch.utils.checkpoint import checkpoint, set_device_states\n';
  const loop = `        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=True)`;
  const edited = put(model(loop, other).replace('return x\n', 'return set_device_states and x\n'), sequential(2), {
    layers: 4,
  });
  assert.ok(edited.includes('from torch.utils.checkpoint import set_device_states, checkpoint_sequential\n'), edited);
  assert.ok(edited.includes('        x = checkpoint_sequential(self.blocks, 2, x, use_reentrant=False)\n'), edited);
});

test('a module that the checkpoint was called from stays imported', () => {
  const loop = '        for block in self.blocks:\n            x = cp.checkpoint(block, x, use_reentrant=False)';
  const edited = put(model(loop, 'from torch.utils import checkpoint as cp\n'), sequential(2), { layers: 4 });
  assert.ok(edited.includes('from torch.utils import checkpoint as cp\n'), edited);
  assert.ok(edited.includes('x = cp.checkpoint_sequential(self.blocks, 2, x, use_reentrant=False)'), edited);
});

test('an option that checkpoint_sequential would lose is named with its line', () => {
  const loop = `        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False, determinism_check="none")`;
  const text = model(loop, 'from torch.utils.checkpoint import checkpoint\n');
  assert.match(
    put(text, sequential(2), { layers: 4 }),
    /^cannot: .*line 23 has determinism_check, which would be lost/,
  );
});

test('the name checkpoint is kept apart from what else has it', () => {
  const edited = put(
    model(plain.replace('mask)', 'checkpoint)')).replace(
      'x, mask=None):\n        for',
      'x, checkpoint=None):\n        for',
    ),
    full,
  );
  assert.ok(edited.includes('import checkpoint as activation_checkpoint'), edited);
  assert.ok(edited.includes('x = activation_checkpoint(block, x, checkpoint, use_reentrant=False)'), edited);
});

test('what the file imports already is used', () => {
  const edited = put(model(plain, 'import torch.utils.checkpoint as cp\n'), full);
  assert.ok(edited.includes('x = cp.checkpoint(block, x, mask, use_reentrant=False)'), edited);
  assert.equal(edited.match(/import/g)?.length, 3);
});

test('nanoGPT’s dictionary of modules is followed', () => {
  const text = model('        for block in self.transformer.h:\n            x = block(x)').replace(
    'self.blocks = nn.ModuleList([Block(width) for _ in range(layers)])',
    'self.transformer = nn.ModuleDict(dict(\n            h = nn.ModuleList([Block(width) for _ in range(layers)]),\n        ))',
  );
  assert.ok(put(text, full).includes('x = checkpoint(block, x, use_reentrant=False)'), put(text, full));
});

test('what is not certain is left alone, with a reason', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      '        for block in self.get_blocks():\n            x = block(x)',
      /no trainer’s arguments, loaded model or loop/,
    ],
    ['        for block in self.blocks:\n            x = block(x) if mask else block(x, 1)', /no trainer’s arguments/],
    [
      '        for block in self.blocks:\n            x = block(x, debug=True)',
      /takes debug, which checkpoint would take for itself/,
    ],
    ['        for block in self.blocks:\n            x.mul_(2)\n            x = block(x)', /^$/],
  ];
  for (const [loop, why] of cases) {
    const text = model(loop, loop.includes('checkpoint(') ? 'from torch.utils.checkpoint import checkpoint\n' : '');
    const edited = put(text, full);
    if (why.source === '^$') assert.ok(edited.includes('checkpoint(block, x, use_reentrant=False)'), edited);
    else assert.match(edited, why);
  }
  const rebound = model('        for block in self.blocks:\n            x = block(x, mask)\n        mask = None');
  assert.match(put(rebound, segments(2)), /mask changes after it was read/);
  assert.ok(put(rebound, full).includes('checkpoint(block, x, mask, use_reentrant=False)'));
  const counted = model('        for index, block in enumerate(self.blocks):\n            x = block(x, index)');
  assert.match(put(counted, segments(2)), /without numbers/);
});

test('a choice that the code makes stays its own', () => {
  const both = model(
    `        for block in self.blocks:
            if self.training:
                x = checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)`,
    'from torch.utils.checkpoint import checkpoint\n',
  );
  assert.equal(put(both, full), both);
  assert.match(put(both, none), /^cannot: line 24 checkpoints only where self.training holds/);
  assert.ok(put(both, policy).includes('use_reentrant=False, context_fn=selective_contexts)'), put(both, policy));
});

test('segments leave it to the condition whether they are checkpointed', () => {
  const guarded = (test: string): string =>
    model(
      `        for block in self.blocks:
            if ${test}:
                x = checkpoint(block, x, mask)
            else:
                x = block(x, mask)`,
      'from torch.utils.checkpoint import checkpoint\n',
    );
  const edited = put(guarded('self.checkpoints and self.training'), segments(2));
  const expected = model(
    `        if self.checkpoints and self.training:
            def run_segment(start, x):
                for block in self.blocks[start : start + 2]:
                    x = block(x, mask)
                return x

            for start in range(0, len(self.blocks), 2):
                x = checkpoint(run_segment, start, x, use_reentrant=False)
        else:
            for block in self.blocks:
                x = block(x, mask)`,
    'from torch.utils.checkpoint import checkpoint\n',
  );
  assert.equal(edited, expected);
  assert.equal(put(edited, segments(3)), expected.replaceAll(/\b2(?=[)\]])/g, '3'));
  assert.equal(
    put(put(guarded('self.training'), segments(2)), segments(2)),
    put(guarded('self.training'), segments(2)),
  );
  for (const differs of ['block.is_large', 'x.requires_grad', 'random()', '(seen := self.training)'])
    assert.match(put(guarded(differs), segments(2)), /^cannot: line 24 checkpoints only under a condition/, differs);
  const unequal = guarded('self.training').replace('x = block(x, mask)', 'x = block(x)');
  assert.match(put(unequal, segments(2)), /^cannot/);
  const said = guarded('self.training').replace(
    'checkpoint(block, x, mask)',
    'checkpoint(block, x, mask)  # less memory',
  );
  assert.match(put(said, segments(2)), /comments that would be lost/);
  const random = guarded('self.training').replace('x, mask)', 'x, mask, preserve_rng_state=False)');
  assert.match(put(random, segments(2)), /preserve_rng_state, which would be lost/);
});

test('a policy that is there is used again', () => {
  const once = put(model(plain), policy);
  const other =
    'class Other(Net):\n    def __init__(self):\n        super().__init__()\n        self.heads = nn.ModuleList([Block(8)])\n\n    def forward(self, x):\n        for head in self.heads:\n            x = head(x)\n        return x\n';
  const text = `${once}\n\n${other}`;
  const file = sourceFile('/w/test.py', parsePython(text));
  const places = applyPlaces(file, { workspace: undefined, versions: {}, layers: undefined });
  const second = places.find(({ what }) => what === 'the loop over self.heads')?.put(policy);
  assert.ok(second !== undefined && 'edits' in second, JSON.stringify(second));
  const edited = applyEdits(text, second.edits);
  assert.ok(edited.includes('checkpoint(head, x, use_reentrant=False, context_fn=selective_contexts)'), edited);
  assert.equal(edited.match(/saved_operations = /g)?.length, 1);
});

test('of two loops nobody can say which is meant', () => {
  const two = model(`${plain}\n        for head in self.blocks:\n            x = head(x)`);
  assert.match(put(two, full), /^cannot: the loop over self.blocks and the loop over self.blocks could both be meant/);
});

test('every edited text parses and says nothing wrong', () => {
  for (const chosen of [full, segments(2), policy]) {
    const { isBroken, findings } = reading(put(model(plain), chosen));
    assert.equal(isBroken, false);
    assert.deepEqual(
      findings.map(({ code }) => code),
      [],
    );
  }
});

test('line endings of the file are kept', () => {
  for (const chosen of [full, segments(2), policy]) {
    const edited = put(model(plain).replaceAll('\n', '\r\n'), chosen);
    assert.ok(!/[^\r]\n/.test(edited), JSON.stringify(edited));
    assert.equal(edited.replaceAll('\r\n', '\n'), put(model(plain), chosen));
  }
});
