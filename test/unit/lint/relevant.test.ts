import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isRelevant as isRelevantText, relevanceOfVersions } from '../../../server/core/lint/relevant.ts';

/** Of a file that is long enough to be judged. */
const isRelevant = (text: string): boolean => isRelevantText(`${'x = 1\n'.repeat(1_000)}${text}`);

const matters = [
  'from torch.utils.checkpoint import checkpoint\n',
  'from torch.utils import checkpoint as ckpt\n',
  'import torch\ny = torch.utils.checkpoint.checkpoint(f, x)\n',
  'from torch.utils.checkpoint import *\n',
  'from ops import *\nrun(checkpoint, x)\n',
  'from ops import (\n    flash,\n    run_checkpointed,  # (ours)\n)\n',
  'from ops import flash, \\\n    run_checkpointed\n',
  'y = ops.checkpoint(f, x)\n',
  'y = run_checkpointed(f, x)\n',
  'from ops import ckpt  # checkpoint\ny = ckpt(f, x)\n',
  'run = ops.checkpoint\n',
  '@checkpoint\ndef forward(x): ...\n',
  'y = self.checkpoint(f, x)\n',
  'model.gradient_checkpointing_enable()\n',
  'Trainer(gradient_checkpointing=True)\n',
  'parser.add_argument("--gradient_checkpointing")\n',
  "config = {'activation_checkpointing': {}}\n",
  'print(f"{checkpoint(f, x)}")\n',
  'x = """\n"""\ny = checkpoint(f, x)\n',
  'x = "a\\"b"; y = checkpoint(f, x)  # "\n',
  'x = 1  # checkpoint-lens: ignore\n',
  '# the last checkpoint\nmodel.enable_input_require_grads()\n',
  '# checkpoint\nclass F(torch.autograd.Function):\n    def backward(ctx, g):\n        with torch.enable_grad(): ...\n',
  '# checkpoint\nTrainingArguments(deepspeed="zero3.json")\n',
  'config.activation_memory_budget = 0.5\n',
  'flags = ["--recompute-granularity", "full"]\n',
  'with config.patch(activation_memory_budget=0.5): ...  # checkpoint\n',
  'with config.patch(\n    activation_memory_budget=0.5,\n): ...  # checkpoint\n',
  'import fairscale.nn.checkpoint as fs\nwrap = partial(fs.checkpoint_wrapper, offload=True)\n',
  'import fairscale\nwrap = partial(fairscale.nn.checkpoint_wrapper, offload=True)\n',
  'from fairscale import *\nwrap = partial(checkpoint_wrapper, offload=True)\n',
  'from torch.utils.checkpoint import (\n    noop_context_fn,\n    checkpoint,\n)\n',
  'import torch.utils.checkpoint as cp\ny = cp.checkpoint(f, x)\n',
  'import mine.checkpoint as cp\ny = cp.run(f, x)\n',
  'import mine.checkpoint as ckpt\ny = ckpt.run(f, x)\n',
  '# checkpoint\nimport mine.ckpt_tools\ny = mine.ckpt_tools.run(f, x)\n',
  'import checkpoint\ny = checkpoint.run(f, x)\n',
  'from .checkpointing import run_block\ny = run_block(f, x)\n',
  'from .checkpointing import Block, load_block\n',
  'from torch.utils.checkpoint import CheckpointPolicy\ndef f(c, o):\n    return CheckpointPolicy.MUST_SAVE\n',
  'from torch.utils.checkpoint import CheckpointPolicy as P\ndef f(c, o): return P.MUST_SAVE\n',
  'from torch.utils.checkpoint import CheckpointPolicy as P, \\\n    noop_context_fn\n',
  'class M:\n    def gradient_checkpointing_enable(self): ...\n',
  'y = wrap(torch.utils.checkpoint.checkpoint)\n',
  'print(f"{len(x)} of {checkpoint(f, x)}")\n',
  '# checkpoint\nfrom torch.autograd import Function as F\nclass G(F):\n    def backward(ctx, g):\n        with torch.enable_grad(): ...\n',
  '# checkpoint\nBase = torch.autograd.Function\nclass G(Base):\n    def backward(ctx, g):\n        with torch.enable_grad(): ...\n',
];

const doesNot = [
  'x = 1\n',
  '# from torch.utils.checkpoint import checkpoint\n',
  'def f():\n    """Runs checkpoint(f, x) and gradient_checkpointing."""\n',
  "x = r'''checkpoint(f, x)'''\n",
  'print("gradient checkpointing is on")\n',
  'checkpoint = torch.load(path)\nmodel.load_state_dict(checkpoint["model"])\n',
  'from utils import load_checkpoint, save_checkpoint\nload_checkpoint(model, args.checkpoint)\n',
  'import torch.distributed.checkpoint as dcp\n',
  'parser.add_argument("--resume_from_checkpoint")\nparser.add_argument("--checkpoint")\n',
  'accelerator.save_state(args.checkpointing_steps)\n',
  'def fix_checkpoint(one): ...\nfix_checkpoint(x)\n',
  'def test_gradient_checkpointing(): ...\n',
  'class Model:\n    _supports_gradient_checkpointing = True\n',
  'from torch.utils.checkpoint import noop_context_fn\n',
  'from torch.utils.checkpoint import (  # checkpoint(f, x)\n    noop_context_fn,\n    get_device_states,\n)\n',
  'from torch.utils.checkpoint import CheckpointPolicy\nkept = CheckpointPolicy.MUST_SAVE\n',
  'import torch\nimport torch.utils.checkpoint\n',
  'import torch.utils.checkpoint\nif f is not torch.utils.checkpoint.checkpoint: ...\n',
  'from training.checkpointing import load_model, ModelCheckpoint, KEY\n',
  'from training.checkpoint_utils import build\n',
  'import training.checkpoint as ckpt\nckpt.save_all(model)\n',
  'import training.checkpoint\ntraining.checkpoint.save_all(model)\n',
  'Trainer(enable_checkpointing=False)\n',
  'raise ValueError(f"{name} does not support gradient checkpointing")\n',
  'def set_grad_checkpointing(self, on): ...\n',
  'names = ["torch.distributed.algorithms._checkpoint.checkpoint_wrapper"]\n',
  'def _checkpoint_modes(self): ...\nself._checkpoint_modes()\n',
  '# checkpoint\nwith torch.enable_grad(): ...\n',
  '# checkpoint: class F(Function), def backward\ndef backward(ctx, g):\n    with torch.enable_grad(): ...\n',
  '# checkpoint\nactivation_memory_budget: float = 1.0\n',
  'import a.checkpoint_wrapper as checkpoint_wrapper\nx = checkpoint_wrapper.PREFIX\n',
  'activation_checkpointing_logging_structure_payload = {}\n',
  '# checkpoint\nbudget = config.activation_memory_budget\n',
];

test('a file matters where it names activation checkpointing in code', () => {
  deepEqual(
    matters.filter((text) => !isRelevant(text)),
    [],
  );
});

test('a file of saved weights, comments and messages does not', () => {
  deepEqual(doesNot.filter(isRelevant), []);
});

test('the end of a line or of a string may still be to come', () => {
  equal(isRelevant('y = checkpoint(f\nx = """\n'), true);
  equal(isRelevant('x = "\ny = checkpoint(f, x)\n'), true);
  equal(isRelevant('x = """\ny = checkpoint(f, x)\n'), true);
  equal(isRelevant('key = "gradient_checkpointing'), false);
  equal(isRelevant('from torch.utils.checkpoint imp'), true);
  equal(isRelevant('checkpoint'), false);
});

test('a short file that says the word matters anyhow', () => {
  equal(isRelevantText('# checkpoint\n'), true);
  equal(isRelevantText('x = 1\n'), false);
});

test('a document that was relevant stays so until the words are gone', () => {
  const judge = relevanceOfVersions();
  const rest = 'x = 1\n'.repeat(1_000);
  const versions = ['# checkpoint\n', 'y = checkpoint(f, x)\n', '# checkpoint\n', '', '# checkpoint\n'];
  deepEqual(
    versions.map((text) => judge(rest + text)),
    [false, true, true, false, false],
  );
});

test('no text takes long to judge', () => {
  const list = (count: number, one: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => one(at)).join();
  const texts = [
    list(60_000, (at) => `x.checkpoint_a${at}`),
    list(60_000, (at) => `checkpoint_a${at}`),
    'checkpoint'.repeat(200_000),
    `# checkpoint\nimport${' '.repeat(400_000)}x\nprint(checkpoint)\n`,
    `y${' '.repeat(300_000)}checkpoint_b = 1\n`,
    `from x import (${'a, '.repeat(1_200)}checkpoint_z\n`.repeat(200),
    `${'act_'.repeat(50_000)}checkpoint_u = 1`,
    `checkpoint_${'load_'.repeat(100_000)}x = 1`,
    `# checkpoint\ndef backward(): enable_grad\n${'class A(\n'.repeat(100_000)}`,
    `# checkpoint\ndef backward(): enable_grad\n${'= a.a'.repeat(100_000)}`,
    `from torch.utils.checkpoint import CheckpointPolicy\n${'return (\n'.repeat(100_000)}`,
    `import a.checkpoint as ckpt\n${'ckpt.a '.repeat(100_000)}`,
    `# checkpoint\n${'activation_memory_budget:'.repeat(100_000)}`,
  ];
  deepEqual(
    texts.map((text) => typeof isRelevant(text)),
    texts.map(() => 'boolean'),
  );
});
