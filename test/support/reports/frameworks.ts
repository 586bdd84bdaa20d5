import assert from 'node:assert/strict';
import type { Reports } from './report.ts';

/** Switches of the libraries around torch. */
export const frameworks: Reports = {
  R48: {
    shape: `
from transformers import TrainingArguments

args = TrainingArguments(
    "out",
    bf16=True,
    fsdp="full_shard auto_wrap",
    fsdp_config={"activation_checkpointing": True, "transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"]},
    gradient_checkpointing=True,
)
`,
    codes: ['AC604'],
  },
  R49: {
    shape: `
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import CheckpointImpl, checkpoint_wrapper
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

def shard(model):
    for index, layer in enumerate(model.layers):
        model.layers[index] = checkpoint_wrapper(FSDP(layer), checkpoint_impl=CheckpointImpl.REENTRANT)
    return FSDP(model)
`,
    codes: ['AC605'],
  },
  R50: {
    as: 'yaml',
    shape: `
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_activation_checkpointing: true
  fsdp_auto_wrap_policy: NO_WRAP
`,
    codes: ['AC706'],
  },
  R51: {
    shape: `
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing
from transformers import LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

model = LlamaForCausalLM.from_pretrained("meta-llama/Llama-3.2-3B", use_cache=False)
model.gradient_checkpointing_enable()
apply_activation_checkpointing(model, check_fn=lambda one: isinstance(one, LlamaDecoderLayer))
`,
    codes: ['AC503'],
  },
  R52: {
    shape: `
from transformers import TrainingArguments

settings = {
    "zero_optimization": {"stage": 2},
    "activation_checkpointing": {"partition_activations": True, "cpu_checkpointing": True},
}
args = TrainingArguments("out", deepspeed=settings)
`,
    codes: ['AC704'],
  },
  R53: {
    as: 'json',
    shape: `
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": { "stage": 2, "activation_checkpointing": { "number_checkpoints": 24 } },
  "activation_checkpointing": { "partition_activations": false, "contiguous_memory_optimization": true }
}
`,
    codes: ['AC703', 'AC701'],
  },
  R54: {
    as: 'yaml',
    shape: `
model_name_or_path: Qwen/Qwen2.5-7B
stage: sft
do_train: true
finetuning_type: lora
cutoff_len: 4096
per_device_train_batch_size: 1
gradient_checkpointing: true
`,
    codes: ['AC707'],
  },
  R55: {
    shape: `
from peft import prepare_model_for_kbit_training
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

model = AutoModelForCausalLM.from_pretrained(
    "meta-llama/Llama-3.2-1B", quantization_config=BitsAndBytesConfig(load_in_4bit=True)
)
model = prepare_model_for_kbit_training(model)
`,
    codes: [],
    panel: ({ run }) => assert.equal(run.checkpointing.value.mode, 'full'),
  },
  R56: {
    shape: `
from unsloth import FastLanguageModel

model, tokenizer = FastLanguageModel.from_pretrained("meta-llama/Llama-3.2-1B", max_seq_length=4096, load_in_4bit=True)
model = FastLanguageModel.get_peft_model(model, r=16)
`,
    codes: [],
    panel: ({ run }) => assert.equal(run.checkpointing.value.mode, 'full'),
  },
  R57: {
    shape: `
import argparse
from diffusers import UNet2DConditionModel

parser = argparse.ArgumentParser()
parser.add_argument("--gradient_checkpointing", action="store_true")
parser.add_argument("--resolution", type=int, default=512)
args = parser.parse_args()
unet = UNet2DConditionModel.from_pretrained("some/model", subfolder="unet")
train(unet, args.resolution)
`,
    codes: ['AC505'],
  },
  R58: {
    shape: `
from torch import nn
from transformers import AutoModel, Trainer

class Retriever(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(name)

    def gradient_checkpointing_enable(self):
        self.encoder.gradient_checkpointing_enable()

trainer = Trainer(model=Retriever("BAAI/bge-base-en"), train_dataset=data)
`,
    codes: ['AC607'],
  },
  R59: {
    outOfReach: 'an AttributeError of timm before 0.8 and of some of its models, which no line of the caller shows',
  },
  R60: {
    as: 'shell',
    shape: `
#!/bin/bash
MEMORY_ARGS=(
    --recompute-granularity full
)
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 "\${MEMORY_ARGS[@]}" --bf16
`,
    codes: ['AC610'],
  },
  R61: {
    shape: `
from lightning.pytorch.strategies import FSDPStrategy
from nets import Block

strategy = FSDPStrategy(
    auto_wrap_policy={Block},
    activation_checkpointing=[Block],
    activation_checkpointing_policy={Block},
)
`,
    codes: ['AC609'],
  },
  R62: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 8)
        self.mlp = nn.Linear(width, width)

class VideoTransformer(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.double = nn.ModuleList([Block(width) for _ in range(depth)])
        self.single = nn.ModuleList([Block(width) for _ in range(2 * depth)])

    def forward(self, video):
        for block in self.double:
            video = checkpoint(block, video, use_reentrant=False)
        for block in self.single:
            video = block(video)
        return video
`,
    codes: ['AC504'],
  },
  R73: {
    shape: `
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing
from nets import Transformer

model = Transformer(layers=24)
apply_activation_checkpointing(model)
`,
    codes: ['AC111'],
  },
};
