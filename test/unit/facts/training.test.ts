import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, reads } from './check.ts';

const llama =
  'from transformers import AutoModelForCausalLM\nmodel = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.2-1B")\n';

// Optimizers

reads(
  'the optimizer of the arguments',
  `${llama}from transformers import TrainingArguments
args = TrainingArguments("out", optim="paged_adamw_8bit")
`,
  { optimizer: 'paged-adamw-8bit @4:39' },
);

reads(
  'an optimizer that the loop makes',
  `${llama}import bitsandbytes as bnb
optimizer = bnb.optim.AdamW8bit(model.parameters(), lr=1e-4)
`,
  { optimizer: 'adamw-8bit @4:13' },
);

reads(
  'plain SGD, and SGD with momentum by position',
  `${llama}import torch
optimizer = torch.optim.SGD(model.parameters(), 0.1, 0.9)
`,
  { optimizer: 'sgd-momentum @4:13' },
);

reads(
  'SGD without momentum',
  `${llama}from torch.optim import SGD
optimizer = SGD(model.parameters(), lr=0.1, momentum=0)
`,
  { optimizer: 'sgd @4:13' },
);

reads(
  'the optimizer of the branch that runs',
  `${llama}import torch, bitsandbytes as bnb
small = False
if small:
    optimizer = bnb.optim.AdamW8bit(model.parameters())
else:
    optimizer = torch.optim.AdamW(model.parameters())
`,
  { optimizer: 'adamw @8:17' },
);

test('optimizers that differ are not chosen between', () => {
  const facts = factsOf(`${llama}import torch
if pick():
    optimizer = torch.optim.SGD(model.parameters())
else:
    optimizer = torch.optim.AdamW(model.parameters())
`);
  assert.equal(facts?.run.optimizer, undefined);
  assert.ok(
    facts?.notes.some((note) => /which optimizer trains is not known: SGD on line 5, AdamW on line 7/.test(note)),
  );
});

test('an optimizer without an account is named', () => {
  const facts = factsOf(`${llama}from torch.optim import RMSprop\noptimizer = RMSprop(model.parameters())\n`);
  assert.equal(facts?.run.optimizer, undefined);
  assert.ok(facts?.notes.some((note) => /RMSprop \(line 4\)/.test(note)));
});

// Adapters and quantisation

reads(
  'LoRA over four bits',
  `
import torch
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, TrainingArguments
bnb = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16)
model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.2-1B", quantization_config=bnb)
model = prepare_model_for_kbit_training(model)
model = get_peft_model(model, LoraConfig(r=32, lora_alpha=64, target_modules=["q_proj", "v_proj"], lora_dropout=0.05))
args = TrainingArguments("out", gradient_checkpointing=False)
`,
  {
    adapters: '32 q_proj,v_proj 0.05 fp32 @7:44',
    quantisation: 'nf4 @4:39',
    checkpointing:
      'full 1 reentrant prepare_model_for_kbit_training default peft prepare_model_for_kbit_training(use_gradient_checkpointing)',
  },
);

reads(
  'kbit preparation without checkpointing leaves it to the trainer',
  `
from peft import prepare_model_for_kbit_training
from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2", load_in_8bit=True)
model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=False)
args = TrainingArguments("out", gradient_checkpointing=True)
`,
  { quantisation: 'int8 @3:67', checkpointing: 'full 1 gradient_checkpointing @5:56' },
);

reads(
  'what peft takes for a model when nothing is said',
  `${llama}from peft import LoraConfig
config = LoraConfig(task_type="CAUSAL_LM")
`,
  { adapters: '8 q_proj,v_proj 0 fp32 @4:10' },
);

reads(
  'all linear layers, and a rank from the command line',
  `
import argparse
${llama}from peft import LoraConfig
parser = argparse.ArgumentParser()
parser.add_argument("--lora_r", type=int, default=64)
args = parser.parse_args()
config = LoraConfig(r=args.lora_r, target_modules="all-linear")
`,
  { adapters: '64 all-linear 0 fp32 @6:51', notes: [/--lora_r/] },
);

reads(
  'names that an option lists',
  `
${llama}from peft import LoraConfig
names = "q_proj,k_proj"
config = LoraConfig(r=4, target_modules=names.split(","))
`,
  { adapters: '4 q_proj,k_proj 0 fp32 @5:23' },
);

test('target modules that only a run could tell are not guessed', () => {
  const facts = factsOf(`${llama}from peft import LoraConfig\nconfig = LoraConfig(r=4, target_modules=find(model))\n`);
  assert.equal(facts?.run.adapters, undefined);
  assert.ok(facts?.notes.some((note) => /list of target modules of the adapters on line 4/.test(note)));
});

test('LoRA under an option that is off is not counted', () => {
  const facts = factsOf(`
import argparse
${llama}from peft import LoraConfig
parser = argparse.ArgumentParser()
parser.add_argument("--lora", action="store_true")
args = parser.parse_args()
if args.lora:
    config = LoraConfig(r=4, target_modules=["q_proj"])
`);
  assert.equal(facts?.run.adapters, undefined);
});

reads(
  "unsloth's defaults",
  `
from unsloth import FastLanguageModel
model, tokenizer = FastLanguageModel.from_pretrained("unsloth/Llama-3.2-1B-Instruct-bnb-4bit", max_seq_length=2048)
model = FastLanguageModel.get_peft_model(model, r=16, lora_dropout=0)
`,
  {
    layers: '16 of meta-llama/Llama-3.2-1B @2:54',
    sequence: '2048 @2:111',
    quantisation: 'nf4 default unsloth from_pretrained(load_in_4bit)',
    adapters: '16 q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj 0 fp32 @3:51',
  },
);

// Data parallelism and its relatives

reads(
  'DistributedDataParallel',
  `${llama}from torch.nn.parallel import DistributedDataParallel as DDP
model = DDP(model, device_ids=[0])
`,
  { sharding: 'ddp @4:9' },
);

reads(
  'FSDP by its strategy, computing in bf16 with shards in fp32',
  `${llama}import torch
from torch.distributed.fsdp import CPUOffload, FullyShardedDataParallel as FSDP, MixedPrecision, ShardingStrategy
model = FSDP(model, sharding_strategy=ShardingStrategy.SHARD_GRAD_OP, cpu_offload=CPUOffload(offload_params=True),
             mixed_precision=MixedPrecision(param_dtype=torch.bfloat16))
`,
  {
    sharding: 'fsdp1 @5:39',
    reshardAfterForward: 'false @5:39',
    offload: 'parameters-and-optimizer @5:109',
    dataType: 'bf16 @6:57',
    autocast: 'false @6:57',
    shardType: 'fp32 default torch default dtype',
    reduceType: undefined,
  },
);

reads(
  'fully_shard with a type for gradients on their way, and layers that stay gathered',
  `${llama}import torch
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model.model.layers:
    fully_shard(layer, mp_policy=policy, reshard_after_forward=False)
fully_shard(model, mp_policy=policy, reshard_after_forward=False)
`,
  {
    sharding: 'fsdp2 @7:5',
    reshardAfterForward: 'false @7:64',
    dataType: 'bf16 @5:43',
    shardType: 'fp32 default torch default dtype',
    reduceType: 'fp32 @5:72',
  },
);

reads(
  'weights that are bf16 before FSDP shards them',
  `${llama}import torch
from torch.distributed.fsdp import FullyShardedDataParallel, MixedPrecision
model.to(torch.bfloat16)
model = FullyShardedDataParallel(model, mixed_precision=MixedPrecision(param_dtype=torch.bfloat16))
`,
  { dataType: 'bf16 @6:84', shardType: undefined, reshardAfterForward: undefined },
);

reads(
  'fully_shard over a mesh',
  `${llama}from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
mesh = init_device_mesh("cuda", (4, 2), mesh_dim_names=("dp", "tp"))
for layer in model.model.layers:
    fully_shard(layer, mesh=mesh["dp"])
fully_shard(model, mesh=mesh["dp"])
`,
  { sharding: 'fsdp2 @7:5', dataParallel: '4 @5:34', tensorParallel: '2 @5:37' },
);

reads(
  'FSDP of the trainer',
  `${llama}from transformers import TrainingArguments
args = TrainingArguments("out", fsdp="full_shard auto_wrap offload", fsdp_config={"version": 2})
`,
  { sharding: 'fsdp2 @4:38', offload: 'parameters-and-optimizer @4:38' },
);

reads(
  'DeepSpeed as a dictionary',
  `${llama}from transformers import TrainingArguments
ds = {"zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}, "train_micro_batch_size_per_gpu": "auto"}
args = TrainingArguments("out", deepspeed=ds, per_device_train_batch_size=1)
`,
  { sharding: 'zero-3 @4:38', offload: 'parameters-and-optimizer @4:69', batch: '1 @5:75' },
);

reads(
  "accelerate's plugins",
  `${llama}from accelerate import Accelerator, DeepSpeedPlugin
plugin = DeepSpeedPlugin(zero_stage=2, gradient_accumulation_steps=4)
accelerator = Accelerator(mixed_precision="bf16", deepspeed_plugin=plugin)
`,
  { sharding: 'zero-2 @4:37', gradientAccumulation: '4 @4:68', dataType: 'bf16 @5:43' },
);

reads(
  "accelerate's parallelism",
  `${llama}from accelerate.parallelism_config import ParallelismConfig
parallel = ParallelismConfig(dp_shard_size=2, tp_size=4, cp_size=8)
`,
  { dataParallel: '2 @4:44', tensorParallel: '4 @4:55', contextParallel: '8 @4:66' },
);

// Fused kernels

reads(
  'Liger by the arguments',
  `${llama}from transformers import TrainingArguments
args = TrainingArguments("out", use_liger_kernel=True)
`,
  { fused: 'true true fused @4:50' },
);

reads(
  'Liger patched in, without its loss',
  `
from liger_kernel.transformers import apply_liger_kernel_to_llama
${llama}apply_liger_kernel_to_llama(fused_linear_cross_entropy=False)
`,
  { fused: 'true true @4:1' },
);

reads(
  'cut cross-entropy',
  `${llama}from cut_cross_entropy import linear_cross_entropy
loss = linear_cross_entropy(hidden, model.lm_head.weight, labels)
`,
  { fused: 'fused @4:8' },
);

// The decoder's length

reads(
  'a decoder of its own length',
  `
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
model = AutoModelForSeq2SeqLM.from_pretrained("google-t5/t5-base")
tokenizer = AutoTokenizer.from_pretrained("google-t5/t5-base")
inputs = tokenizer(texts, max_length=512, truncation=True)
labels = tokenizer(summaries, max_length=64, truncation=True)
`,
  { sequence: '512 @4:38', targetSequence: '64 @5:42' },
);

reads(
  'text_target',
  `
from transformers import AutoModelForSeq2SeqLM
model = AutoModelForSeq2SeqLM.from_pretrained("google-t5/t5-small")
inputs = tokenizer(texts, max_length=256)
out = tokenizer(text_target=answers, max_length=32)
`,
  { sequence: '256 @3:38', targetSequence: '32 @4:49' },
);

reads(
  'lengths by option',
  `
import argparse
from transformers import T5ForConditionalGeneration
parser = argparse.ArgumentParser()
parser.add_argument("--max_source_length", type=int, default=384)
parser.add_argument("--max_target_length", type=int, default=48)
args = parser.parse_args()
model = T5ForConditionalGeneration.from_pretrained("t5-small")
`,
  { sequence: '384 @4:62', targetSequence: '48 @5:62' },
);

// What lost

test('what a later line replaces is kept beside the value', () => {
  const facts = factsOf(`${llama}from transformers import TrainingArguments
args = TrainingArguments("out", per_device_train_batch_size=8)
args.per_device_train_batch_size = 2
`);
  const batch = facts?.run.batch;
  assert.equal(batch?.value, 2);
  assert.deepEqual(
    batch?.lost?.map(({ value, origin }) => [value, 'place' in origin && origin.place?.line]),
    [[8, 4]],
  );
});

test("a change beats the registry's size, which is kept", () => {
  const facts = factsOf(`
from transformers import AutoConfig, AutoModelForCausalLM
config = AutoConfig.from_pretrained("gpt2", n_layer=4)
model = AutoModelForCausalLM.from_config(config)
`);
  const layers = facts?.model?.layers;
  assert.equal(layers?.value, 4);
  assert.deepEqual(
    layers?.lost?.map(({ value, origin }) => [value, origin.kind]),
    [[12, 'registry']],
  );
});

test('a value that is only repeated replaces nothing', () => {
  const facts = factsOf(`${llama}from transformers import TrainingArguments
args = TrainingArguments("out", per_device_train_batch_size=2)
args.per_device_train_batch_size = 2
`);
  assert.equal(facts?.run.batch.lost, undefined);
});

reads(
  'the list of layers in the defaults of a function that is a command',
  `
import fire
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM
def train(base_model: str = "gpt2", lora_r: int = 4, names=["c_attn", "c_fc"]):
    model = AutoModelForCausalLM.from_pretrained(base_model)
    model = get_peft_model(model, LoraConfig(r=lora_r, target_modules=names))
fire.Fire(train)
`,
  { adapters: '4 c_attn,c_fc 0 fp32 @4:51' },
);

reads(
  'a function that looks for all linear layers',
  `
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM
def find_linear(model):
    names = set()
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear):
            names.add(name.split(".")[-1])
    names.discard("lm_head")
    return list(names)
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2-0.5B")
model = get_peft_model(model, LoraConfig(r=32, target_modules=find_linear(model)))
`,
  { adapters: '32 all-linear 0 fp32 @12:44' },
);

reads(
  'layers that follow from a model nobody named',
  `
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, TrainingArguments
def run(name):
    model = AutoModelForCausalLM.from_pretrained(name)
    get_peft_model(model, LoraConfig(r=32))
    TrainingArguments("out", per_device_train_batch_size=2)
`,
  { adapters: undefined, notes: [/line 5 are not counted: which layers get one follows from the model/] },
);
