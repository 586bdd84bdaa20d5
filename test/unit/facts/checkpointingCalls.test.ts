import { reads } from './check.ts';

/** A model of twelve layers whose forward pass is `body`, below `checkpoint` imported on line 2. */
const model = (body: string, more = ''): string => `
import torch
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
from transformers import GPT2Config
config = GPT2Config()
class Model(torch.nn.Module):
    def __init__(self, config, use_checkpoint=False):
        super().__init__()
        self.layers = torch.nn.ModuleList([Block(config) for _ in range(config.n_layer)])
${more}    def forward(self, x):
${body}
        return x
`;

// Loops over layers

reads(
  'each layer by itself',
  model(`        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)`),
  { checkpointing: 'full 1 non-reentrant checkpoint @11:17' },
);

reads(
  'without the variant torch takes the reentrant one',
  model(`        for i, layer in enumerate(self.layers):
            x = checkpoint(layer, x)`),
  { checkpointing: 'full 1 reentrant checkpoint @11:17' },
);

reads(
  'by index, and through a closure that is given the layer',
  model(`        for i in range(len(self.layers)):
            x = torch.utils.checkpoint.checkpoint(run_with(self.layers[i]), x, use_reentrant=self.reentrant)`),
  { checkpointing: 'full 1 checkpoint @11:17' },
);

reads(
  'through a local function over the layer',
  model(`        for layer in self.layers:
            def run(hidden):
                return layer(hidden, mask)
            x = checkpoint(run, x, use_reentrant=False)`),
  { checkpointing: 'full 1 non-reentrant checkpoint @13:17' },
);

reads(
  'a part of each layer has no account',
  model(`        for layer in self.layers:
            x = x + checkpoint(layer.mlp, x, use_reentrant=False)`),
  { checkpointing: 'none 1 assumed', notes: [/line 11 checkpoints only layer.mlp of a layer/] },
);

reads(
  'both parts of each layer',
  model(`        for attention, mlp in self.layers:
            x = x + checkpoint(attention, x, use_reentrant=False)
            x = x + checkpoint(mlp, x, use_reentrant=False)`),
  { checkpointing: 'full 1 non-reentrant checkpoint assumed', notes: [/attention and mlp are checkpointed apart/] },
);

reads(
  'something that the loop does not pass on',
  model(`        for start in range(4):
            x = checkpoint(self.run_segment, x, start, use_reentrant=False)`),
  { checkpointing: 'full 1 non-reentrant checkpoint assumed', notes: [/how much of the model checkpoint on line 11/] },
);

// Flags

reads(
  'a flag that the call of the class leaves off',
  `${model(
    `        for layer in self.layers:
            if self.use_checkpoint and self.training:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`,
    '        self.use_checkpoint = use_checkpoint\n',
  )}net = Model(config)
`,
  {
    checkpointing:
      'none 1 = checkpoint on line 13 does not run: self.use_checkpoint and self.training with False @6:47',
  },
);

reads(
  'the same flag given',
  `${model(
    `        for layer in self.layers:
            if self.use_checkpoint and self.training:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`,
    '        self.use_checkpoint = use_checkpoint\n',
  )}net = Model(config, use_checkpoint=True)
`,
  { checkpointing: 'full 1 non-reentrant checkpoint @13:21' },
);

reads(
  'the same flag where nobody makes the model',
  model(
    `        for layer in self.layers:
            if self.use_checkpoint and self.training:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`,
    '        self.use_checkpoint = use_checkpoint\n',
  ),
  {
    checkpointing:
      'full 1 non-reentrant checkpoint = checkpoint on line 13, if self.use_checkpoint and self.training @13:21',
    notes: [/depends on self.use_checkpoint/],
  },
);

const withSetter = model(
  `        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.cheap else layer(x)
        for layer in self.layers:
            if self.cheap:
                x = checkpoint(layer, x, use_reentrant=False)`,
  `        self.cheap = False
    def save_memory(self, on=True):
        self.cheap = on
`,
).replace(/ {8}for layer in self.layers:\n.* else layer\(x\)\n/, '');

reads('a switch that starts off and that nothing turns', withSetter, {
  checkpointing: 'none 1 = checkpoint on line 15 does not run: self.cheap with False @9:22',
});

reads('a switch that a later call turns on', `${withSetter}net = Model(config)\nnet.save_memory()\n`, {
  checkpointing: 'full 1 non-reentrant checkpoint @15:21',
});

reads('a switch that is turned from outside', `${withSetter}net = Model(config)\nnet.cheap = True\n`, {
  checkpointing: 'full 1 non-reentrant checkpoint @15:21',
});

// Which layers

reads(
  'every second layer',
  model(`        for i, layer in enumerate(self.layers):
            if i % 2 == 0:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`),
  { checkpointing: 'full 1 non-reentrant 2 checkpoint @11:20' },
);

reads(
  'every so many layers by a setting',
  `every = 3\n${model(`        for i, layer in enumerate(self.layers):
            if self.training and (i + 1) % every == 0:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`).slice(1)}`,
  { checkpointing: 'full 1 non-reentrant 3 checkpoint @1:9' },
);

reads(
  'all but every fourth layer is not one in four',
  model(`        for i, layer in enumerate(self.layers):
            if i % 4 == 0:
                x = layer(x)
            else:
                x = checkpoint(layer, x, use_reentrant=False)`),
  {
    checkpointing: 'full 1 non-reentrant checkpoint assumed',
    notes: [/which layers line 11 checkpoints \(i % 4 == 0\)/],
  },
);

reads(
  'the first layers',
  model(`        for i, layer in enumerate(self.layers):
            if i < 8 and torch.is_grad_enabled():
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`),
  { checkpointing: 'full 1 non-reentrant 8 checkpoint @11:20' },
);

reads(
  'the last layers',
  model(`        for i, layer in enumerate(self.layers):
            if i >= 8:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`),
  { checkpointing: 'full 1 non-reentrant 4 checkpoint = layers from 8 on, of 12 @11:21' },
);

reads(
  'layers that a list names are not known',
  model(`        for i, layer in enumerate(self.layers):
            if i in self.chosen:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)`),
  { checkpointing: 'full 1 non-reentrant checkpoint assumed', notes: [/i in self.chosen/] },
);

// Segments

reads(
  'segments of a loop with a step',
  model(`        for start in range(0, len(self.layers), 3):
            x = checkpoint(self.run_layers(start, start + 3), x, use_reentrant=False)`),
  { checkpointing: 'full 3 non-reentrant checkpoint @10:49' },
);

reads(
  'segments of a while loop',
  `chunk = 4\n${model(`        at = 0
        while at < len(self.layers):
            x = checkpoint(self.custom(at, at + chunk), x, use_reentrant=True)
            at += chunk`).slice(1)}`,
  { checkpointing: 'full 4 reentrant checkpoint @1:9' },
);

reads(
  'a segment length that is not known',
  model(`        for start in range(0, len(self.layers), self.chunk):
            x = checkpoint(self.run_layers(start), x, use_reentrant=False)`),
  { checkpointing: 'full 1 non-reentrant checkpoint assumed', notes: [/segment length on line 10/] },
);

reads(
  'all layers in one region',
  model(
    `        x = checkpoint(self.run_all, x, use_reentrant=False)`,
    `    def run_all(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
`,
  ),
  { checkpointing: 'full 12 non-reentrant checkpoint = all 12 layers in one region @14:13' },
);

// checkpoint_sequential and timm's relative

reads('checkpoint_sequential', model('        x = checkpoint_sequential(self.layers, 4, x, use_reentrant=False)'), {
  checkpointing: 'sequential 3 4 non-reentrant checkpoint_sequential = 12 layers in 4 segments @10:48',
});

reads(
  'checkpoint_sequential with segments that do not come out even',
  model('        x = checkpoint_sequential(self.layers, segments=5, input=x)'),
  { checkpointing: 'sequential 2 5 reentrant checkpoint_sequential = 12 layers in 5 segments @10:57' },
);

reads(
  'checkpoint_sequential with segments that are not known',
  model('        x = checkpoint_sequential(self.layers, self.pieces, x, use_reentrant=False)'),
  {
    checkpointing: 'sequential 1 non-reentrant checkpoint_sequential assumed',
    notes: [/number of segments could not/],
  },
);

const timm = 'from timm.models import checkpoint_seq\n';

reads("timm's checkpoint_seq", timm + model('        x = checkpoint_seq(self.layers, x)').slice(1), {
  checkpointing: 'full 1 checkpoint_seq @11:13',
});

reads("segments of timm's", timm + model('        x = checkpoint_seq(self.layers, x, every=2)').slice(1), {
  checkpointing: 'full 2 checkpoint_seq @11:50',
});

reads("timm's by position", timm + model('        x = checkpoint_seq(self.layers, x, 3)').slice(1), {
  checkpointing: 'full 3 checkpoint_seq @11:44',
});

// A method of the layer's own

const layer = (body: string, name = 'Block'): string => `
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from transformers import GPT2Config
config = GPT2Config()
class ${name}(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.attn = Attention(dim)
        self.mlp = MLP(dim)
        self.qkv = torch.nn.Linear(dim, 3 * dim)
${body}`;

reads(
  "the layer's own forward",
  layer(`    def inner(self, x):
        return x + self.mlp(x + self.attn(x))
    def forward(self, x):
        return checkpoint(self.inner, x, use_reentrant=False)
`),
  { checkpointing: 'full 1 non-reentrant checkpoint @15:16' },
);

reads(
  'one part of the layer',
  layer(`    def forward(self, x):
        return x + checkpoint(self.mlp, x + self.attn(x), use_reentrant=False)
`),
  { checkpointing: 'none 1 assumed', notes: [/checkpoints only self.mlp of a layer/] },
);

reads(
  'both parts of the layer',
  layer(`    def forward(self, x):
        x = x + checkpoint(self.attn, x, use_reentrant=False)
        return x + checkpoint(self.mlp, x, use_reentrant=False)
`),
  { checkpointing: 'full 1 non-reentrant checkpoint assumed', notes: [/self.attn and self.mlp/] },
);

// The attention core

reads(
  "torch's attention alone",
  layer(
    `    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return checkpoint(F.scaled_dot_product_attention, q, k, v, use_reentrant=False)
`,
    'Attention',
  ),
  { checkpointing: 'selective 1 non-reentrant checkpoint @14:16' },
);

reads(
  'scores and softmax of an attention class',
  layer(
    `    def attend(self, q, k, v):
        scores = torch.matmul(q, k.transpose(-1, -2))
        return torch.matmul(scores.softmax(dim=-1), v)
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return checkpoint(self.attend, q, k, v)
`,
    'SelfAttention',
  ),
  { checkpointing: 'selective 1 reentrant checkpoint @17:16' },
);

reads(
  'attention with its projections is more than the core',
  layer(
    `    def attend(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return F.scaled_dot_product_attention(q, k, v)
    def forward(self, x):
        return checkpoint(self.attend, x, use_reentrant=False)
`,
    'SelfAttention',
  ),
  { checkpointing: 'none 1 assumed', notes: [/checkpoints only SelfAttention of a layer/] },
);

// Functions that hand on

reads(
  'a method that checkpoints what it is given',
  model(
    `        for layer in self.layers:
            x = self.run(layer, x)`,
    `    def run(self, function, *inputs):
        return checkpoint(function, *inputs, use_reentrant=False)
`,
  ),
  { checkpointing: 'full 1 non-reentrant checkpoint @13:17' },
);

reads(
  'a function that checkpoints what it is given, under its own flag',
  `${model(`        for layer in self.layers:
            x = maybe(layer, x)`).replace(
    'class Model',
    `save = True
def maybe(run, x):
    if save:
        return checkpoint(run, x, use_reentrant=False)
    return run(x)
class Model`,
  )}`,
  { checkpointing: 'full 1 non-reentrant checkpoint @16:17' },
);

reads(
  'a function that nobody calls here',
  `${model('        x = self.layers[0](x)')}
def maybe(run, x):
    return checkpoint(run, x, use_reentrant=False)
`,
  { checkpointing: 'none 1 = no checkpoint call in this file' },
);

reads(
  'a forward that is replaced by one that checkpoints',
  `${model('        x = self.layers[0](x)')}
def remembered(run):
    def forward(*inputs):
        return checkpoint(run, *inputs, use_reentrant=False)
    return forward
net = Model(config)
for layer in net.layers:
    layer.forward = remembered(layer.forward)
`,
  { checkpointing: 'full 1 non-reentrant checkpoint @19:21' },
);

reads(
  'a method that is called under a flag',
  `${model('        x = self.cheap_layers(x) if x is None else self.layers[0](x)', '        self.cheap = False\n')}
    def cheap_layers(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return x
    def run(self, x):
        if self.cheap:
            return self.cheap_layers(x)
        return self(x)
`.replace('self.cheap_layers(x) if x is None else ', ''),
  { checkpointing: 'none 1 = checkpoint on line 16 does not run: self.cheap with False @9:22' },
);

reads(
  'a layer that is picked from the list, and one that is handed in',
  model(`        for i in range(self.depth):
            layer = self.layers[i]
            x = checkpoint(wrapped(layer), x, use_reentrant=False)
        for layer in self.layers:
            x = checkpoint(self.step, layer, x, use_reentrant=False)`),
  { checkpointing: 'full 1 non-reentrant checkpoint @12:17' },
);

reads(
  'a loss in chunks is no layer',
  `${model('        x = self.layers[0](x)')}
def chunked_loss(x, labels, size=256):
    total = 0
    for start in range(0, x.shape[0], size):
        total = total + checkpoint(piece, x[start : start + size], labels, use_reentrant=False)
    return total
`,
  { checkpointing: 'none 1 = no checkpoint call in this file' },
);

reads(
  'a loop over something else says nothing about segments',
  model(`        for start in range(0, x.shape[1], 128):
            x = checkpoint(self.encode, x[:, start:], use_reentrant=False)`),
  { checkpointing: 'full 1 non-reentrant checkpoint assumed', notes: [/how much of the model/] },
);

// DeepSpeed, Megatron

const deepspeed = (body: string, more = ''): string => `import deepspeed\n${more}${model(body).slice(1)}`;

reads(
  "DeepSpeed's checkpoint",
  deepspeed(`        for layer in self.layers:
            x = deepspeed.checkpointing.checkpoint(layer, x)`),
  { checkpointing: 'full 1 reentrant deepspeed.checkpointing.checkpoint @12:17' },
);

reads(
  "DeepSpeed's checkpoint in CPU memory",
  deepspeed(
    `        for layer in self.layers:
            x = deepspeed.checkpointing.checkpoint(layer, x)`,
    'deepspeed.checkpointing.configure(None, partition_activations=True, checkpoint_in_cpu=True)\n',
  ),
  {
    checkpointing: 'full 1 reentrant true deepspeed.checkpointing.checkpoint = kept in host memory by line 2 @2:1',
  },
);

reads(
  "DeepSpeed's settings alone checkpoint nothing",
  deepspeed(
    `        for layer in self.layers:
            x = layer(x)`,
    'deepspeed.checkpointing.configure(None, checkpoint_in_cpu=True)\n',
  ),
  { checkpointing: 'none 1 = no checkpoint call in this file' },
);

reads(
  "Megatron's checkpoint in segments",
  `from megatron.core import tensor_parallel\n${model(`        l = 0
        while l < self.num_layers:
            x = tensor_parallel.checkpoint(self.custom(l, l + 2), False, x, mask)
            l += 2`).slice(1)}`,
  { checkpointing: 'full 2 reentrant tensor_parallel.checkpoint @14:18' },
);
