import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundedFeedForward } from '../../../server/core/facts/llamaReference.ts';
import { reads } from './check.ts';

const gptBlock = `
class Block(nn.Module):
    def __init__(self, config):
        self.ln = nn.LayerNorm(config.n_embd)
        self.up = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.act = nn.GELU()
    def forward(self, x):
        return F.scaled_dot_product_attention(x, x, x)
`;
const llamaBlock = `
class RMSNorm(nn.Module):
    pass
class Block(nn.Module):
    def __init__(self, args):
        self.norm = RMSNorm(args.dim)
        self.w1 = nn.Linear(args.dim, args.dim, bias=False)
    def forward(self, x):
        scores = F.softmax(x @ x.T, dim=-1)
        return F.silu(self.w1(scores))
`;
const imports = 'from dataclasses import dataclass\nimport torch.nn as nn\nimport torch.nn.functional as F\n';

reads(
  'a class of sizes beside its layers',
  `${imports}@dataclass
class GPTConfig:
    block_size: int = 256
    vocab_size: int = 50304
    n_layer: int = 6
    n_head: int = 6
    n_embd: int = 384
    dropout: float = 0.2
    bias: bool = False
${gptBlock}`,
  {
    name: 'GPTConfig @5:7',
    family: 'gpt2 = LayerNorm and an MLP of two matrices @16:19',
    layers: '6 @8:20',
    hidden: '384 @10:19',
    feedForward: '1536 = 4 * config.n_embd @17:44',
    activation: 'gelu = nn.GELU() @18:20',
    tiedEmbeddings: 'false = no weight is shared in this file',
    bias: 'false @12:18',
    dropout: '0.2 @11:22',
    sequence: '256 @6:23',
    attention: 'sdpa = F.scaled_dot_product_attention(x, x, x) @20:16',
  },
);

reads(
  'a call overrides fields, by keyword and by position',
  `${imports}@dataclass
class GPTConfig:
    block_size: int = 256
    vocab_size: int = 50304
    n_layer: int = 6
    n_head: int = 6
    n_embd: int = 384
${gptBlock}
model = GPT(GPTConfig(512, n_layer=24))
`,
  {
    name: 'GPTConfig @20:13',
    layers: '24 @20:36',
    maximumSequence: '512 @20:23',
    heads: '6 @9:19',
    sequence: '512 @20:23',
  },
);

reads(
  'a subclass changes some fields',
  `${imports}@dataclass
class GPTConfig:
    block_size: int = 256
    vocab_size: int = 50304
    n_layer: int = 6
    n_head: int = 6
    n_embd: int = 384
@dataclass
class Large(GPTConfig):
    n_layer: int = 24
${gptBlock}
model = GPT(Large())
`,
  { layers: '24 @13:20', heads: '6 @9:19' },
);

reads(
  'other names for the same sizes, where the layers show the family',
  `${imports}class Config:
    vocab_size = 32000
    d_model = 512
    n_heads = 8
    num_layers = 4
    d_ff = 1024
    context_length = 128
${gptBlock}`,
  { layers: '4 @8:18', feedForward: '1024 @9:12', maximumSequence: '128 @10:22', hidden: '512 @6:15' },
);

reads(
  'RMSNorm and GELU together have no account',
  `${imports}@dataclass
class GPTConfig:
    vocab_size: int = 50304
    n_layer: int = 6
    n_head: int = 6
    n_embd: int = 384
x = nn.RMSNorm(3)
y = nn.Linear(3, 3)
z = F.gelu(y)
`,
  { model: 'none', notes: [/no PyTorch account for a block of RMSNorm, gelu/] },
);

reads(
  'experts have no account',
  `${imports}@dataclass
class GPTConfig:
    vocab_size: int = 50304
    n_layer: int = 6
    n_head: int = 6
    n_embd: int = 384
    n_experts: int = 8
${gptBlock}`,
  { model: 'none', notes: [/mixtures of experts/] },
);

reads(
  "Llama's arguments: the feed-forward width is rounded up",
  `${imports}@dataclass
class ModelArgs:
    dim: int = 4096
    n_layers: int = 32
    n_heads: int = 32
    n_kv_heads: Optional[int] = None
    vocab_size: int = -1
    multiple_of: int = 256
    ffn_dim_multiplier: Optional[float] = None
    norm_eps: float = 1e-5
    max_batch_size: int = 8
    max_seq_len: int = 2048
${llamaBlock}`,
  {
    family: 'llama = RMSNorm and a gated SiLU MLP @21:21',
    layers: '32 @7:21',
    keyValueHeads: '32 = n_heads',
    feedForward: '11008 = 8/3 * dim, rounded up to a multiple of 256',
    vocabulary: '32000 assumed',
    activation: 'silu = F.silu(self.w1(scores)) @25:16',
    attention: 'eager = F.softmax(x @ x.T, dim=-1) @24:18',
    batch: '8 @14:27',
    sequence: '2048 @15:24',
    dropout: '0 default Llama reference dropout',
    notes: [/vocab_size on line 10 is -1/],
  },
);

reads(
  "Llama's arguments from another file",
  `
from model import ModelArgs, Transformer
args = ModelArgs(dim=288, n_layers=6, n_heads=6, n_kv_heads=6, vocab_size=32000, multiple_of=32, max_seq_len=256)
model = Transformer(args)
`,
  {
    layers: '6 @2:36',
    feedForward: '768 = 8/3 * dim, rounded up to a multiple of 32',
    family: 'llama default Llama reference ModelArgs',
    notes: [/the layers of ModelArgs are not in this file/],
  },
);

reads(
  "Llama 3's arguments: the feed-forward width is scaled before it is rounded up",
  `
from llama.model import ModelArgs, Transformer
args = ModelArgs(dim=4096, n_layers=32, n_heads=32, n_kv_heads=8, vocab_size=128256, multiple_of=1024,
                 ffn_dim_multiplier=1.3, max_batch_size=4)
model = Transformer(args)
`,
  {
    hidden: '4096 @2:22',
    keyValueHeads: '8 @2:64',
    feedForward: '14336 = 8/3 * dim * 1.3, rounded up to a multiple of 1024',
    batch: '4 @3:57',
  },
);

reads(
  'a training script with settings at the top',
  `
import torch
from model import GPTConfig, GPT
batch_size = 12
block_size = 1024
n_layer = 12
n_head = 12
n_embd = 768
dropout = 0.0
bias = False
gradient_accumulation_steps = 5 * 8
init_from = 'scratch'
dtype = 'bfloat16' if torch.cuda.is_available() and torch.cuda.is_bf16_supported() else 'float16'
exec(open('configurator.py').read())
ptdtype = {'float32': torch.float32, 'bfloat16': torch.bfloat16, 'float16': torch.float16}[dtype]
ctx = torch.amp.autocast(device_type='cuda', dtype=ptdtype)
model_args = dict(n_layer=n_layer, n_head=n_head, n_embd=n_embd, block_size=block_size, bias=bias, vocab_size=None, dropout=dropout)
if init_from == 'scratch':
    model_args['vocab_size'] = meta_vocab_size if meta_vocab_size is not None else 50304
    gptconf = GPTConfig(**model_args)
    model = GPT(gptconf)
elif init_from == 'resume':
    for k in ['n_layer', 'n_head']:
        model_args[k] = checkpoint[k]
    gptconf = GPTConfig(**model_args)
    model = GPT(gptconf)
`,
  {
    name: 'GPTConfig @19:15',
    layers: '12 @5:11',
    hidden: '768 @7:10',
    maximumSequence: '1024 @4:14',
    vocabulary: '50304 assumed',
    activation: 'gelu default nanoGPT nn.GELU',
    bias: 'false @9:8',
    batch: '12 @3:14',
    sequence: '1024 @4:14',
    dataType: 'bf16 = torch.bfloat16, on a GPU with is_bf16_supported() @12:9',
    autocast: 'true = torch.bfloat16, on a GPU with is_bf16_supported() @12:9',
    gradientAccumulation: '40 = 5 * 8 @10:31',
    notes: [/exec on line 13 may replace/, /not in this file/],
  },
);

reads(
  'settings alone, as in a configuration file',
  `
batch_size = 64
block_size = 256
n_layer = 6
n_head = 6
n_embd = 384
dropout = 0.2
`,
  { layers: '6 @3:11', batch: '64 @1:14', sequence: '256 @2:14', dropout: '0.2 @6:11' },
);

reads(
  'a field that nanoGPT does not have speaks of another model',
  `
from model import GPTConfig, GPT
model = GPT(GPTConfig(n_layer=6, n_head=6, n_embd=384, use_rmsnorm=True))
`,
  { model: 'none', notes: [/its layers are not in this file/] },
);

reads(
  'sizes of an image model are not a decoder',
  `
from dataclasses import dataclass
@dataclass
class ViTConfig:
    image_size: int = 224
    patch_size: int = 16
    num_layers: int = 12
    hidden_size: int = 768
    num_heads: int = 12
    vocab_size: int = 10
`,
  'nothing',
);

test('the published widths of Llama follow from its formula', () => {
  assert.equal(roundedFeedForward(4096, 256, undefined), 11008);
  assert.equal(roundedFeedForward(8192, 4096, 1.3), 28672);
  assert.equal(roundedFeedForward(4096, 1024, 1.3), 14336);
  assert.equal(roundedFeedForward(2048, 256, 1.5), 8192);
});

reads(
  'a dictionary of sizes that a model is built with',
  `${imports}${gptBlock}
GPT_SMALL = {"vocab_size": 50257, "context_length": 256, "emb_dim": 512, "n_heads": 8, "n_layers": 4, "drop_rate": 0.1}
GPT_SMALL.update({"n_layers": 6})
model = GPTModel(GPT_SMALL)
`,
  {
    name: 'GPT_SMALL @13:13',
    layers: '6 @14:31',
    hidden: '512 @13:69',
    maximumSequence: '256 @13:53',
    dropout: '0.1 @13:116',
  },
);

reads(
  'a dictionary alone says nothing about the layers',
  `
sizes = {"vocab_size": 100, "hidden_size": 8, "num_heads": 2, "num_layers": 3}
config = dict(n_layers=1)
`,
  { model: 'none', notes: [/its layers are not in this file/] },
);

reads(
  'a context that only serving reaches is not the training length',
  `${imports}${gptBlock}
SIZES = {"vocab_size": 100, "context_length": 131072, "emb_dim": 512, "n_heads": 8, "n_layers": 4}
model = GPTModel(SIZES)
`,
  { maximumSequence: '131072 @13:47', sequence: '1024 assumed' },
);

reads(
  'sizes in a branch that does not run are not the model’s',
  `
import torch
def main(quick):
    if quick:
        sizes = {"vocab_size": 50257, "context_length": 120, "emb_dim": 12, "n_heads": 1, "n_layers": 1}
    else:
        sizes = load_sizes()
    model = GPTModel(sizes)
    optimizer = torch.optim.AdamW(model.parameters())
class GPTModel(torch.nn.Module):
    def __init__(self, sizes):
        self.norm = torch.nn.LayerNorm(sizes["emb_dim"])
        self.up = torch.nn.Linear(sizes["emb_dim"], 4 * sizes["emb_dim"])
        self.act = torch.nn.GELU()
for images in torch.utils.data.DataLoader(rows, batch_size=3, shuffle=True):
    model(images).sum().backward()
main(False)
`,
  { model: 'none', batch: '3 @14:60' },
);
