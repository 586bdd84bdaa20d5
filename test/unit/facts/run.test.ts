import { reads } from './check.ts';

const gpt2 = 'from transformers import GPT2Config, GPT2LMHeadModel\nmodel = GPT2LMHeadModel(GPT2Config())\n';

reads(
  'training arguments: micro-batch, mixed precision, checkpointing',
  `${gpt2}from transformers import TrainingArguments
args = TrainingArguments(
    output_dir="out", per_device_train_batch_size=2, gradient_accumulation_steps=8, bf16=True,
    gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False},
)
`,
  {
    batch: '2 @5:51',
    dataType: 'bf16 @5:90',
    autocast: 'true @5:90',
    checkpointing: 'full 1 non-reentrant gradient_checkpointing @6:28',
    gradientAccumulation: '8 @5:82',
  },
);

reads(
  'training arguments say nothing: the library decides',
  `${gpt2}from transformers import TrainingArguments
args = TrainingArguments("out")
`,
  {
    batch: '8 default transformers TrainingArguments.per_device_train_batch_size',
    dataType: 'fp32 default torch default dtype',
    checkpointing: 'none 1 default transformers TrainingArguments.gradient_checkpointing',
  },
);

reads(
  'training arguments of another library are not these',
  `${gpt2}from my_trainer import TrainingArguments
args = TrainingArguments(per_device_train_batch_size=2, gradient_checkpointing=True)
`,
  { batch: '1 assumed', checkpointing: 'none 1 = no checkpoint call in this file' },
);

reads(
  "trl's arguments and trl's own defaults",
  `
from trl import SFTConfig, SFTTrainer
args = SFTConfig(max_length=4096, per_device_train_batch_size=1)
trainer = SFTTrainer(model="Qwen/Qwen2.5-0.5B", args=args)
`,
  {
    layers: '24 of Qwen/Qwen2.5-0.5B @3:28',
    sequence: '4096 @2:29',
    dataType: 'bf16 default trl SFTConfig.bf16 (since 0.20)',
    checkpointing: 'full 1 gradient_checkpointing default trl SFTConfig.gradient_checkpointing (since 0.20)',
  },
);

reads(
  'the older name of the length, preference training, and a length by default',
  `
from trl import DPOConfig, SFTConfig
a = SFTConfig(max_seq_length=512, bf16=False, gradient_checkpointing=False)
`,
  { model: 'none', sequence: '512 @2:30', dataType: 'fp32 default torch default dtype', checkpointing: 'none 1 @2:70' },
);

reads(
  'preference training takes 1024 by default',
  `
from trl import DPOConfig
args = DPOConfig("out", beta=0.1, fp16=True)
`,
  {
    sequence: '1024 default trl DPOConfig.max_length',
    dataType: 'fp16 @2:40',
    batch: '8 default transformers DPOConfig.per_device_train_batch_size',
  },
);

reads(
  'changes to the arguments count, and those given to the trainer are the ones',
  `${gpt2}from transformers import Trainer, TrainingArguments
spare = TrainingArguments("a", per_device_train_batch_size=64)
args = TrainingArguments("b", per_device_train_batch_size=2)
args.per_device_train_batch_size = 3
Trainer(model=model, args=args)
`,
  { batch: '3 @6:36', notes: [/there is also TrainingArguments on line 4/] },
);

reads(
  'weights that are loaded in bf16 leave autocast nothing to do',
  `
import torch
from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.bfloat16)
args = TrainingArguments("out", bf16=True)
`,
  { dataType: 'bf16 @4:38', autocast: 'false = the weights are bf16 already' },
);

reads(
  'a value of the arguments that is not known is not claimed',
  `${gpt2}from transformers import TrainingArguments
args = TrainingArguments("out", per_device_train_batch_size=pick(), gradient_checkpointing=flag)
`,
  { batch: '1 assumed', checkpointing: 'none 1 assumed', notes: [/per_device_train_batch_size on line 4/] },
);

reads(
  'a call that switches checkpointing on',
  `${gpt2}model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
`,
  { checkpointing: 'full 1 non-reentrant gradient_checkpointing_enable @3:1' },
);

reads(
  'a switch under an option that is off is off',
  `
import argparse
${gpt2}parser = argparse.ArgumentParser()
parser.add_argument("--checkpoint", action="store_true")
args = parser.parse_args()
if args.checkpoint:
    model.gradient_checkpointing_enable()
`,
  {
    checkpointing: 'none 1 = gradient_checkpointing_enable() on line 8 does not run: args.checkpoint with False @5:44',
  },
);

reads(
  'a switch under an unknown condition is counted, and said',
  `${gpt2}if use_it:
    model.gradient_checkpointing_enable()
`,
  {
    checkpointing: 'full 1 gradient_checkpointing_enable = gradient_checkpointing_enable() on line 4, if use_it @4:5',
    notes: [/checkpointing on line 4 depends on use_it/],
  },
);

reads(
  'torch checkpoints every layer in a loop',
  `${gpt2}from torch.utils.checkpoint import checkpoint
def forward(self, x):
    for block in self.blocks:
        if self.training:
            x = checkpoint(block, x, use_reentrant=False)
        else:
            x = block(x)
    return x
`,
  { checkpointing: 'full 1 non-reentrant checkpoint @7:17' },
);

reads(
  'a loop over segments says how long they are',
  `${gpt2}from torch.utils.checkpoint import checkpoint
every = 4
for start in range(0, 12, every):
    x = checkpoint(run_layers(start, start + every), x, use_reentrant=False)
`,
  { checkpointing: 'full 4 non-reentrant checkpoint @4:9' },
);

reads(
  'segments of checkpoint_sequential',
  `${gpt2}from torch.utils.checkpoint import checkpoint_sequential
x = checkpoint_sequential(model.transformer.h, 5, x, use_reentrant=False)
`,
  { checkpointing: 'sequential 2 5 non-reentrant checkpoint_sequential = 12 layers in 5 segments @4:48' },
);

reads(
  'a policy that the file does not have is supposed to be the usual one',
  `${gpt2}import functools
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts
context_fn = functools.partial(create_selective_checkpoint_contexts, policy)
for block in model.transformer.h:
    x = checkpoint(block, x, use_reentrant=False, context_fn=context_fn)
`,
  { checkpointing: 'policy 1 non-reentrant checkpoint assumed' },
);

reads(
  "another library's checkpoint is not torch's",
  `${gpt2}from my_tools import checkpoint
for block in model.transformer.h:
    x = checkpoint(block, x)
`,
  { checkpointing: 'none 1 = no checkpoint call in this file' },
);

reads(
  'preparing a quantised model switches checkpointing on',
  `
from peft import prepare_model_for_kbit_training
from transformers import AutoModelForCausalLM
model = prepare_model_for_kbit_training(AutoModelForCausalLM.from_pretrained("gpt2", load_in_4bit=True))
`,
  {
    checkpointing:
      'full 1 reentrant prepare_model_for_kbit_training default peft prepare_model_for_kbit_training(use_gradient_checkpointing)',
  },
);

reads(
  'the training loader and the tokenizer of a plain loop',
  `${gpt2}import torch
from torch.utils.data import DataLoader
tokens = tokenizer(texts, truncation=True, padding="max_length", max_length=384)
val_loader = DataLoader(val, batch_size=32)
train_loader = DataLoader(train, batch_size=4, shuffle=True)
with torch.autocast("cuda", dtype=torch.bfloat16):
    pass
`,
  { batch: '4 @7:45', sequence: '384 @5:77', dataType: 'bf16 @8:35', autocast: 'true @8:35' },
);

reads(
  'command-line options of a plain loop, groups and functions included',
  `${gpt2}import argparse
def get_args():
    parser = argparse.ArgumentParser()
    group = parser.add_argument_group("run")
    group.add_argument("-b", "--batch-size", type=int, default=6)
    group.add_argument("--seq-len", type=int, default=640)
    return parser.parse_args()
`,
  { batch: '6 @7:64', sequence: '640 @8:55', notes: [/--batch-size, --seq-len/] },
);

reads(
  'letters and random tokens of a trial script',
  `${gpt2}import torch
x = torch.randint(0, 50257, (4, 512), device="cuda")
`,
  { batch: '4 @4:30', sequence: '512 @4:33' },
);

reads(
  "letters at the top of a lecture's script",
  `${gpt2}B, T = 16, 256
`,
  { batch: '16 @3:8', sequence: '256 @3:12' },
);

reads(
  'weights that are converted, and an environment variable',
  `
import os, torch
${gpt2}model.to("cuda", torch.bfloat16)
batch_size = int(os.environ.get("BATCH", "8"))
`,
  { dataType: 'bf16 @4:18', autocast: 'false = no autocast in this file', batch: '8 = 8, unless $BATCH is set @5:42' },
);

reads(
  'autocast without a data type is fp16 on CUDA',
  `${gpt2}import torch
with torch.cuda.amp.autocast():
    pass
`,
  { dataType: 'fp16 default torch autocast on CUDA', autocast: 'true default torch autocast on CUDA' },
);

reads(
  "accelerate's mixed precision",
  `${gpt2}from accelerate import Accelerator
accelerator = Accelerator(mixed_precision="bf16")
`,
  { dataType: 'bf16 @4:43', autocast: 'true @4:43' },
);

reads(
  'a length beyond the model is said',
  `${gpt2}tokens = tokenizer(texts, max_length=4096)
`,
  { sequence: '4096 @3:38', notes: [/sequences of 4096 are longer than the model's 1024/] },
);

reads('an empty file', '', 'nothing');
reads('a file about something else', '\nimport os\nprint(os.getcwd())\n', 'nothing');
reads('nothing but broken code', '\ndef f(:\n  GPT2Config(n_layer=\n', 'nothing');

reads(
  'arguments that a function or an object of this file is given once',
  `
import argparse
from transformers import GPT2Config, GPT2LMHeadModel
class Job:
    def __init__(self, options, layers=3):
        self.options = options
        self.batch = 2
        self.model = GPT2LMHeadModel(GPT2Config(n_layer=layers, n_head=self.options.heads))
def main(args):
    Job(args, layers=args.layers)
    tokens = cut(tokenizer, args.length)
def cut(tokenizer, length):
    return tokenizer("text", max_length=length)
if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--length", type=int, default=128)
    main(parser.parse_args())
`,
  { layers: '6 @15:55', heads: '8 @16:54', sequence: '128 @17:55', notes: [/--layers, --heads/] },
);

reads(
  'a function that is called more than once may be given anything',
  `
from transformers import GPT2Config
def build(layers):
    return GPT2Config(n_layer=layers)
build(2)
build(4)
`,
  { model: 'none' },
);

reads(
  'a checkpoint behind a flag that is off, and one behind a flag that is not known',
  `${gpt2}from torch.utils.checkpoint import checkpoint
class Layers:
    def __init__(self, use_checkpoint):
        self.gradient_checkpointing = False
        self.use_checkpoint = use_checkpoint
    def forward(self, x):
        for block in self.blocks:
            if self.gradient_checkpointing and self.training:
                x = checkpoint(block, x)
            elif self.use_checkpoint:
                x = checkpoint(block, x, use_reentrant=False)
        return x
`,
  {
    checkpointing: 'full 1 non-reentrant checkpoint = checkpoint on line 13, if self.use_checkpoint @13:21',
    notes: [/checkpointing on line 13 depends on self.use_checkpoint/],
  },
);

reads(
  'weights whose data type cannot be read are not said to be fp32',
  `
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=pick())
`,
  { dataType: 'bf16 assumed' },
);

reads(
  'preparing a quantised model under an option that is off',
  `
import argparse
from peft import prepare_model_for_kbit_training
from transformers import AutoModelForCausalLM
parser = argparse.ArgumentParser()
parser.add_argument("--quantize", action="store_true")
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained("gpt2")
if args.quantize:
    model = prepare_model_for_kbit_training(model)
`,
  {
    checkpointing: 'none 1 = prepare_model_for_kbit_training() on line 9 does not run: args.quantize with False @5:42',
  },
);

reads(
  'the length of the loader before that of generated text',
  `from transformers import GPT2Config, GPT2LMHeadModel
B = 64
T = 1024
loader = DataLoaderLite(B=B, T=T, split="train")
model = GPT2LMHeadModel(GPT2Config())
for step in range(100):
    if step % 25 == 0:
        max_length = 32
        while tokens.size(1) < max_length:
            tokens = more(tokens)
`,
  { batch: '64 @2:5', sequence: '1024 @3:5' },
);

reads(
  'a loader that feeds something else than the training',
  `
import argparse, torch
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM
parser = argparse.ArgumentParser()
parser.add_argument("--sample_batch_size", type=int, default=4)
parser.add_argument("--train_batch_size", type=int, default=7)
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained("gpt2")
sample_dataloader = DataLoader(prompts, batch_size=args.sample_batch_size)
train_dataloader = DataLoader(rows, batch_sampler=Buckets(rows, batch_size=args.train_batch_size))
loss.backward()
`,
  { batch: '7 @6:61' },
);

reads(
  'a dataset of shorter sequences than the model takes',
  `
from torch import nn, optim
from torch.utils.data import DataLoader
class GPTConfig:
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 64
    block_size: int = 2048
    vocab_size: int = 100
class GPT(nn.Module):
    def __init__(self, config):
        self.norm = nn.LayerNorm(config.n_embd)
        self.up = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.act = nn.GELU()
model = GPT(GPTConfig())
dataset = TokenDataset(vocabulary=100, seq_length=128)
for batch in DataLoader(dataset, batch_size=8):
    model(batch).sum().backward()
`,
  { sequence: '128 @15:51', batch: '8 @16:45', maximumSequence: '2048 @7:23' },
);

reads(
  'a conversion before saving that nobody asked for',
  `
import argparse, torch
from transformers import AutoModelForCausalLM
parser = argparse.ArgumentParser()
parser.add_argument("--upcast_before_saving", action="store_true")
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained("gpt2").to(torch.bfloat16)
loss.backward()
if args.upcast_before_saving:
    model.to(torch.float32)
`,
  { dataType: 'bf16 @6:57' },
);
