import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsAmong, readsAmong } from './checkFiles.ts';

readsAmong(
  "a folder's config.json, with a change after it",
  {
    'train.py': `
from transformers import AutoConfig, AutoModelForCausalLM
config = AutoConfig.from_pretrained("./tiny")
config.num_hidden_layers = 3
model = AutoModelForCausalLM.from_config(config)
`,
    'tiny/config.json': `{
  "model_type": "llama",
  "hidden_size": 256,
  "num_hidden_layers": 8,
  "num_attention_heads": 4
}`,
  },
  {
    hidden: '256 @3:18 in tiny/config.json',
    heads: '4 @5:26 in tiny/config.json',
    layers: '3 @3:28',
    feedForward: '11008 default transformers LlamaConfig.intermediate_size',
    name: './tiny @2:37',
  },
);

readsAmong(
  'a model of several parts is read through its text_config',
  {
    'train.py': `
from transformers import AutoModelForImageTextToText
model = AutoModelForImageTextToText.from_pretrained("checkpoints/vlm")
`,
    'checkpoints/vlm/config.json': `{"model_type": "llava", "text_config": {"model_type": "gpt2", "n_layer": 5, "n_head": 4, "n_embd": 128}}`,
  },
  {
    layers: '5 @1:74 in checkpoints/vlm/config.json',
    hidden: '128 @1:100 in checkpoints/vlm/config.json',
    notes: [/text_config/],
  },
);

readsAmong(
  'a configuration file that is named itself',
  {
    'train.py': `
from transformers import LlamaConfig, LlamaForCausalLM
model = LlamaForCausalLM(LlamaConfig.from_json_file("configs/small.json"))
`,
    'configs/small.json': `{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 2, "vocab_size": 99}`,
  },
  { layers: '2 @1:46 in configs/small.json', vocabulary: '99 @1:108 in configs/small.json' },
);

readsAmong(
  'a file of a model whose layers nobody has counted is named',
  {
    'train.py': `
from transformers import AutoModel
model = AutoModel.from_pretrained("./odd")
`,
    'odd/config.json': `{"model_type": "strange", "hidden_size": 64}`,
  },
  { model: 'none', notes: [/model_type "strange"/] },
);

readsAmong(
  'values that cannot be a size are told, and a broken file is no configuration',
  {
    'train.py': `
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("./bad")
`,
    'bad/config.json': `{"model_type": "gpt2", "n_layer": "12", "n_embd": 128}`,
  },
  { model: 'none', notes: [/n_layer on line 1 is "12"/] },
);

readsAmong(
  'sizes of an imported class, and its constants',
  {
    'train.py': `
from config import BATCH, TrainConfig
from transformers import GPT2Config, GPT2LMHeadModel
from torch.utils.data import DataLoader
cfg = TrainConfig(n_layer=4)
model = GPT2LMHeadModel(GPT2Config(n_layer=cfg.n_layer, n_head=cfg.n_head, n_embd=cfg.n_embd))
loader = DataLoader(data, batch_size=BATCH)
`,
    'config.py': `
from dataclasses import dataclass
BATCH = 4 * 2
@dataclass
class TrainConfig:
    n_layer: int = 12
    n_head: int = 8
    n_embd: int = 512
`,
  },
  {
    layers: '4 @4:27',
    heads: '8 @6:19 in config.py',
    hidden: '512 @7:19 in config.py',
    batch: '8 = 4 * 2 @2:9 in config.py',
  },
);

readsAmong(
  'options of a parser that another file makes',
  {
    'train.py': `
from params import parse_args
from transformers import GPT2Config
args = parse_args()
config = GPT2Config(n_layer=args.layers)
`,
    'params.py': `
import argparse
def parse_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=3)
    args = parser.parse_args(argv)
    return args
`,
  },
  { layers: '6 @4:55 in params.py', batch: '3 @5:59 in params.py', notes: [/--layers/] },
);

readsAmong(
  "nanoGPT's script beside its model",
  {
    'train.py': `
from model import GPTConfig, GPT
n_layer, n_head, n_embd = 6, 6, 384
block_size = 256
model_args = dict(n_layer=n_layer, n_head=n_head, n_embd=n_embd, block_size=block_size, bias=False, vocab_size=65, dropout=0.2)
model = GPT(GPTConfig(**model_args))
`,
    'model.py': `
import torch.nn as nn
from dataclasses import dataclass
class Block(nn.Module):
    def __init__(self, config):
        self.ln = nn.LayerNorm(config.n_embd)
        self.up = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.act = nn.ReLU()
@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304
    n_layer: int = 12
    n_head: int = 12
    n_embd: int = 768
    dropout: float = 0.0
    bias: bool = True
`,
  },
  {
    layers: '6 @2:27',
    hidden: '384 @2:33',
    activation: 'relu = nn.ReLU() @7:20 in model.py',
    family: 'gpt2 = LayerNorm and an MLP of two matrices @5:19 in model.py',
    dropout: '0.2 @4:124',
    sequence: '256 @3:14',
  },
);

readsAmong(
  'training arguments of a class that another file derives',
  {
    'train.py': `
from transformers import HfArgumentParser
from arguments import ModelArguments, RunArguments
parser = HfArgumentParser((ModelArguments, RunArguments))
model_args, run_args = parser.parse_args_into_dataclasses()
`,
    'arguments.py': `
from dataclasses import dataclass, field
import transformers
@dataclass
class ModelArguments:
    model_name_or_path: str = field(default="gpt2")
@dataclass
class BaseArguments(transformers.TrainingArguments):
    per_device_train_batch_size: int = field(default=2)
@dataclass
class RunArguments(BaseArguments):
    model_max_length: int = field(default=640)
`,
  },
  { batch: '2 @8:54 in arguments.py', sequence: '640 @11:43 in arguments.py' },
);

readsAmong(
  'a DeepSpeed file of the trainer',
  {
    'train.py': `
from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2")
args = TrainingArguments("out", deepspeed="ds/zero2.json", bf16=True, per_device_train_batch_size=2)
`,
    'ds/zero2.json': `{
  "train_micro_batch_size_per_gpu": "auto",
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}`,
  },
  { sharding: 'zero-2 @3:34 in ds/zero2.json', offload: 'optimizer @3:69 in ds/zero2.json', batch: '2 @3:99' },
);

readsAmong(
  'a loop of its own over a DeepSpeed file',
  {
    'train.py': `
import deepspeed, json
from transformers import GPT2Config, GPT2LMHeadModel
with open("ds.json") as file:
    ds_config = json.load(file)
engine, *_ = deepspeed.initialize(model=GPT2LMHeadModel(GPT2Config()), config=ds_config)
`,
    'ds.json': `{"train_micro_batch_size_per_gpu": 6, "bf16": {"enabled": true}, "zero_optimization": {"stage": 3}, "gradient_accumulation_steps": 4}`,
  },
  {
    batch: '6 @1:36 in ds.json',
    dataType: 'bf16 @1:59 in ds.json',
    autocast: 'false @1:59 in ds.json',
    sharding: 'zero-3 @1:97 in ds.json',
    gradientAccumulation: '4 @1:132 in ds.json',
  },
);

test('files that import each other in a circle come to an end', () => {
  const facts = factsAmong({
    'train.py': 'from a import SIZE\nfrom transformers import GPT2Config\nconfig = GPT2Config(n_layer=SIZE)\n',
    'a.py': 'from b import SIZE\n',
    'b.py': 'from a import SIZE\n',
  });
  assert.equal(facts?.model, undefined);
});

test('a file of nothing but brackets is no configuration', () => {
  const facts = factsAmong({
    'train.py': 'from transformers import AutoModel\nmodel = AutoModel.from_pretrained("./deep")\n',
    'deep/config.json': '['.repeat(200_000),
  });
  assert.equal(facts?.model, undefined);
});

readsAmong(
  'a dictionary of sizes for a class of another file, fed by a loader of the project',
  {
    'train.py': `
import torch
from chapters import GPTModel, create_dataloader
def main(config, settings):
    model = GPTModel(config)
    optimizer = torch.optim.AdamW(model.parameters())
    train_loader = create_dataloader("text", batch_size=settings["batch_size"], max_length=config["context_length"])
    for inputs, targets in train_loader:
        model(inputs).sum().backward()
CONFIG = {"vocab_size": 500, "context_length": 96, "emb_dim": 64, "n_heads": 4, "n_layers": 3, "drop_rate": 0.1}
SETTINGS = {"learning_rate": 1e-3, "batch_size": 6}
main(CONFIG, SETTINGS)
`,
    'chapters.py': `
from torch import nn
class LayerNorm(nn.Module):
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / x.var(dim=-1, keepdim=True).sqrt()
class GPTModel(nn.Module):
    def __init__(self, cfg):
        self.norm = LayerNorm(cfg["emb_dim"])
        self.up = nn.Linear(cfg["emb_dim"], 4 * cfg["emb_dim"])
        self.act = nn.GELU()
def create_dataloader(text, batch_size, max_length):
    return None
`,
  },
  {
    family: 'gpt2 = LayerNorm and an MLP of two matrices @8:21 in chapters.py',
    layers: '3 @9:93',
    batch: '6 @10:50',
    sequence: '96 @9:48',
    feedForward: '256 = 4 * cfg["emb_dim"] @9:45 in chapters.py',
    notes: [/LayerNorm is written out by hand/],
  },
);

readsAmong(
  'a model that a function of another file makes, from what it is given here',
  {
    'train.py': `
from dataclasses import dataclass, field
from transformers import HfArgumentParser, Trainer, TrainingArguments
from utils import prepare_model
@dataclass
class ModelArguments:
    base: str = field(default="gpt2-medium")
    flash: bool = field(default=True)
model_args, training_args = HfArgumentParser((ModelArguments, TrainingArguments)).parse_args_into_dataclasses()
model, tokenizer = prepare_model(model_args, kind="bfloat16")
Trainer(model, training_args)
`,
    'utils.py': `
from transformers import AutoModelForCausalLM, AutoTokenizer
def prepare_model(args, kind="float32", unused=None):
    model = AutoModelForCausalLM.from_pretrained(
        args.base, torch_dtype=kind, attn_implementation="flash_attention_2" if args.flash else "eager"
    )
    return model, AutoTokenizer.from_pretrained(args.base)
def other():
    return AutoModelForCausalLM.from_pretrained("distilgpt2")
`,
  },
  {
    layers: '24 of openai-community/gpt2-medium @6:31',
    dataType: 'bf16 @9:51',
    attention: 'flash @4:58 in utils.py',
  },
);
