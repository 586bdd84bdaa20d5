import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsOf, tells } from './check.ts';

tells(
  'torchrun with variables, an array, continued lines and FSDP',
  {
    'train.sh': `
#!/bin/bash
MODEL=mistralai/Mistral-7B-v0.1
GPUS=8
COMMON=(
  --bf16 True
  --gradient_checkpointing True
)
torchrun --nproc_per_node=$GPUS --master_port=29501 \\
    train.py \\
    --model_name_or_path "$MODEL" \\
    --per_device_train_batch_size 2 \\
    --gradient_accumulation_steps 16 \\
    --model_max_length 2048 \\
    --fsdp "full_shard auto_wrap offload" \\
    --optim adamw_torch_fused \\
    "\${COMMON[@]}"
`,
  },
  {
    title: 'train.sh: train.py',
    name: 'mistralai/Mistral-7B-v0.1 @2:7',
    layers: '32 of mistralai/Mistral-7B-v0.1 @2:7',
    batch: '2 @11:35',
    sequence: '2048 @13:24',
    gradientAccumulation: '16 @12:35',
    dataType: 'bf16 @5:10',
    autocast: 'true @5:10',
    checkpointing: 'full 1 gradient_checkpointing @6:28',
    sharding: 'fsdp1 @14:13',
    offload: 'parameters-and-optimizer @14:13',
    optimizer: 'adamw @15:13',
    dataParallel: '8 @8:27',
  },
);

tells(
  'DeepSpeed’s file decides what the flags leave to it, and what both say must agree',
  {
    'run.sh': `
deepspeed --num_gpus 4 train.py --model_name_or_path Qwen/Qwen2-0.5B \\
  --per_device_train_batch_size 4 --bf16 True --deepspeed ds.json
`,
    'ds.json':
      '{"train_micro_batch_size_per_gpu": 8, "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}}',
  },
  {
    batch: '4 @2:33',
    sharding: 'zero-2 @1:70 in ds.json',
    offload: 'optimizer @1:105 in ds.json',
    autocast: 'false = DeepSpeed turns the weights into bf16 @2:42',
    lost: { batch: [8] },
    notes: [/disagree about the micro-batch: 4 and 8/],
  },
);

tells(
  'flags beat what the program takes by itself, and the rest is read there',
  {
    'scripts/run.sh': 'python train.py --batch_size 16 --n_layer 4\n',
    'train.py': `
import argparse
from transformers import GPT2Config, GPT2LMHeadModel
p = argparse.ArgumentParser()
p.add_argument('--batch_size', type=int, default=8)
p.add_argument('--n_layer', type=int, default=12)
args = p.parse_args()
block_size = 512
model = GPT2LMHeadModel(GPT2Config(n_layer=args.n_layer, n_embd=256, n_head=4))
loss = model(x).loss
loss.backward()
`,
  },
  {
    batch: '16 @1:30',
    layers: '4 @1:43',
    hidden: '256 @8:65 in train.py',
    sequence: '512 @7:14 in train.py',
    lost: { batch: [8], layers: [12] },
  },
);

tells(
  'a variable that may come from outside is supposed to have its default, and says so',
  {
    'run.sh': `
STAGE=$1
if [ "$STAGE" == "" ]; then
  STAGE=3
fi
python main.py --model_name_or_path facebook/opt-125m --per_device_train_batch_size \${BATCH:-4} --zero_stage $STAGE --max_seq_len $LEN
`,
  },
  {
    batch: '4 = 4, unless the script is given another value @5:85',
    sharding: 'zero-3 = 3, unless the script is given another value @3:9',
    sequence: '512 assumed',
    notes: [/--max_seq_len on line 5 of run\.sh could not be read/],
  },
);

tells(
  'open_clip and timm call it grad-checkpointing',
  {
    'clip.sh':
      'torchrun --nproc_per_node 4 -m open_clip_train.main --model ViT-L-14 --batch-size 256 --precision amp_bf16 --grad-checkpointing\n',
  },
  {
    title: 'clip.sh: open_clip_train.main',
    name: 'ViT-L-14 @1:61',
    batch: '256 @1:83',
    dataType: 'bf16 @1:99',
    checkpointing: 'full 1 grad-checkpointing @1:108',
    dataParallel: '4 @1:27',
  },
);

tells(
  'options as JSON',
  {
    'a.sh': `python t.py --model_name gpt2 --batch_size 2 --gradient_checkpointing --gradient_checkpointing_kwargs '{"use_reentrant": false}' --fp16\n`,
  },
  {
    layers: '12 of openai-community/gpt2 @1:26',
    checkpointing: 'full 1 non-reentrant gradient_checkpointing @1:46',
    dataType: 'fp16 @1:130',
  },
);

tells(
  'a script that starts no training',
  { 'build.sh': 'pip install --upgrade pip\npython setup.py --help\nrm -rf build/\n' },
  'nothing',
);

tells(
  'settings of torchtune changed on its command line',
  {
    'tune.sh':
      'tune run --nproc_per_node 2 full_finetune_distributed --config recipes/8B_full.yaml batch_size=8 tokenizer.max_seq_len=2048\n',
    'recipes/8B_full.yaml':
      'model:\n  _component_: torchtune.models.llama3.llama3_8b\nbatch_size: 2\nenable_activation_checkpointing: True\n',
  },
  {
    layers: '32 of meta-llama/Meta-Llama-3-8B @2:16 in recipes/8B_full.yaml',
    batch: '8 @1:96',
    sequence: '2048 @1:120',
    lost: { batch: [2] },
  },
);

test('each command that starts another training is a run', () => {
  const runs = runsOf({
    'all.sh':
      'python a.py --model_name gpt2 --batch_size 2\npython b.py --model_name gpt2 --batch_size 4\npython b.py --model_name gpt2 --batch_size 4\n',
  });
  assert.deepEqual(
    runs.map(({ id, title, place }) => [id, title, place.line]),
    [
      ['/project/all.sh', 'all.sh: a.py', 1],
      ['/project/all.sh#2', 'all.sh: b.py', 2],
    ],
  );
});

test('a Python file is listed with the scripts that start it', () => {
  const runs = runsOf({
    'train.py': "from transformers import AutoModelForCausalLM\nmodel = AutoModelForCausalLM.from_pretrained('gpt2')\n",
    'run.sh': 'python train.py --per_device_train_batch_size 4 --bf16\n',
    'scripts/long.sh': 'torchrun train.py --per_device_train_batch_size 1 --max_seq_length 4096\n',
    'other.sh': 'python other.py --batch_size 3\n',
  });
  assert.deepEqual(
    runs.map(({ title }) => title),
    ['train.py', 'run.sh: train.py', 'long.sh: train.py'],
  );
});

tells(
  'adapters of a script whose own rank is not known are said, and not made up',
  { 'run.sh': '\ntorchrun finetune.py --model_name_or_path Qwen/Qwen2-0.5B --use_lora --bf16 True\n' },
  { adapters: undefined, notes: [/LoRA is on with the rank that the script itself takes/] },
);

tells(
  'adapters of TRL have the rank of its own arguments',
  { 'run.sh': '\ntrl sft --model_name_or_path Qwen/Qwen2-0.5B --use_peft --bf16 True\n' },
  { adapters: '16 q_proj,v_proj 0.05 fp32 = rank 16, target layers by default @1:46' },
);

tells(
  'the head and the dropout of the model that the launch line names, not of the program’s default',
  {
    'train.py': `
import argparse
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments
parser = argparse.ArgumentParser()
parser.add_argument("--model_name_or_path", default="facebook/opt-125m")
args = parser.parse_args()
model = AutoModelForSequenceClassification.from_pretrained(args.model_name_or_path)
Trainer(model, TrainingArguments("out"))
`,
    'run.sh': 'python train.py --model_name_or_path bert-base-cased\n',
  },
  {
    run: 2,
    title: 'run.sh: train.py',
    head: 'sequence-classification = AutoModelForSequenceClassification @6:9',
    dropout: '0.1 of google-bert/bert-base-cased @1:38 in run.sh',
  },
);

tells(
  'the flags give the rank and the program its layers',
  {
    'train.py': `
import argparse
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM
parser = argparse.ArgumentParser()
parser.add_argument("--model_name_or_path", default="gpt2")
parser.add_argument("--lora_r", type=int, default=64)
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained(args.model_name_or_path)
get_peft_model(model, LoraConfig(r=args.lora_r, lora_dropout=0.05, target_modules=["c_attn", "c_fc"]))
`,
    'run.sh': 'python train.py --model_name_or_path gpt2-medium --lora_r 16\n',
  },
  { run: 2, adapters: '16 c_attn,c_fc 0.05 fp32 @1:59 in run.sh' },
);

tells(
  'layers that the program takes from somewhere else are not made up',
  {
    'train.py': `
import argparse
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM
from layers import choose
parser = argparse.ArgumentParser()
parser.add_argument("--model_name_or_path", default="gpt2")
parser.add_argument("--lora_r", type=int, default=64)
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained(args.model_name_or_path)
get_peft_model(model, LoraConfig(r=args.lora_r, target_modules=choose(model)))
`,
    'run.sh': 'python train.py --model_name_or_path gpt2-medium --lora_r 16\n',
  },
  { run: 2, adapters: undefined, notes: [/the list of target modules of the adapters on line 10 could not be read/] },
);

tells(
  'DeepSpeed under Accelerate turns the weights into the type, whatever the flags call mixed',
  {
    'run.sh': '\naccelerate launch --config_file ds.yaml train.py --model_name_or_path gpt2 --bf16 True\n',
    'ds.yaml': `
distributed_type: DEEPSPEED
deepspeed_config:
  zero_stage: 3
mixed_precision: bf16
num_processes: 8
`,
  },
  {
    dataType: 'bf16 @1:83',
    autocast: 'false = DeepSpeed turns the weights into bf16 @1:83',
    sharding: 'zero-3 @3:15 in ds.yaml',
    dataParallel: '8 @5:16 in ds.yaml',
  },
);

tells(
  'what accelerate launch itself is told',
  {
    'run.sh': `
accelerate launch --mixed_precision bf16 --num_processes 4 --use_deepspeed --zero_stage 2 --offload_optimizer_device cpu \\
  train.py --model_name_or_path gpt2 --per_device_train_batch_size 2
`,
  },
  {
    dataType: 'bf16 @1:37',
    autocast: 'false = DeepSpeed turns the weights into bf16 @1:37',
    sharding: 'zero-2 @1:89',
    offload: 'optimizer @1:118',
    dataParallel: '4 @1:58',
  },
);

tells(
  'DeepSpeed’s configuration is called .conf too',
  {
    'run.sh':
      '\naccelerate launch --use_deepspeed --deepspeed_config_file stage3.conf train.py --model_name_or_path gpt2\n',
    'stage3.conf': '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}',
  },
  { sharding: 'zero-3 @1:33 in stage3.conf', dataType: 'bf16 @1:57 in stage3.conf' },
);

tells(
  'FSDP on a launch line',
  {
    'run.sh':
      '\naccelerate launch --use_fsdp --fsdp_sharding_strategy SHARD_GRAD_OP --fsdp_offload_params true t.py --model_name_or_path gpt2\n',
  },
  { sharding: 'fsdp1 @1:55', reshardAfterForward: 'false @1:55', offload: 'parameters-and-optimizer @1:91' },
);

tells(
  'a server and a chat train nothing',
  {
    'run.sh': `
python -m vllm.entrypoints.openai.api_server --model=gpt2 --dtype bfloat16
swift rollout --model Qwen/Qwen2.5-7B
llamafactory-cli export --model_name_or_path gpt2
`,
  },
  'nothing',
);

tells(
  'a module behind --module, and the number of a redirected stream that follows a value',
  {
    'run.sh':
      '\ndeepspeed --module my.train --model_name_or_path gpt2 --per_device_train_batch_size 4 2>&1 | tee log\n',
  },
  { title: 'run.sh: my.train', batch: '4 @1:85' },
);

tells(
  'weights in the type that autocast asks for leave it nothing to cast',
  { 'run.sh': '\npython t.py --model_name_or_path gpt2 --torch_dtype bfloat16 --bf16 True\n' },
  { dataType: 'bf16 @1:69', autocast: 'false = the weights are bf16 already @1:53' },
);

tells(
  'a sequence that is a prompt with what was generated',
  { 'run.sh': '\ntrl grpo --model_name_or_path gpt2 --max_prompt_length 512 --max_completion_length $((512 * 3))\n' },
  { sequence: '2048 = prompt 512 + completion 1536 @1:56' },
);

tells(
  'what the flags give a program’s own options is read where the program uses them',
  {
    'train.py': `
import argparse
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM
parser = argparse.ArgumentParser()
parser.add_argument("--pretrain", default=None)
parser.add_argument("--accumulation_steps", type=int, default=8)
parser.add_argument("--examples", type=int, default=4)
parser.add_argument("--grad_checkpoint", default=False, action="store_true")
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained(args.pretrain)
if args.grad_checkpoint:
    model.gradient_checkpointing_enable()
loader = DataLoader(rows, batch_size=2 * args.examples, shuffle=True)
loss.backward()
`,
    'run.sh': `
colossalai run --nproc_per_node 4 train.py \\
  --pretrain gpt2-large --examples 3 --accumulation_steps 1 --grad_checkpoint --mixed_precision bf16
`,
  },
  {
    title: 'run.sh: train.py',
    name: 'gpt2-large @2:14 in run.sh',
    layers: '36 of openai-community/gpt2-large @2:14 in run.sh',
    batch: '6 = 2 * args.examples @13:38',
    gradientAccumulation: '1 @2:59 in run.sh',
    checkpointing: 'full 1 grad_checkpoint @2:61 in run.sh',
  },
);

tells(
  'options of argument classes, of which the program only uses some',
  {
    'train.py': `
from dataclasses import dataclass, field
import torch
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments
@dataclass
class ModelArguments:
    base: str = field(default="gpt2")
    longest: int = field(default=128)
@dataclass
class Arguments(TrainingArguments):
    pass
model_args, args = HfArgumentParser((ModelArguments, Arguments)).parse_args_into_dataclasses()
model = AutoModelForCausalLM.from_pretrained(
    model_args.base, torch_dtype=torch.bfloat16 if args.bf16 else None
)
rows = tokenizer(texts, max_length=model_args.longest)
Trainer(model, args)
`,
    'run.sh': 'torchrun train.py --base gpt2-medium --longest 384 --bf16 True --per_device_train_batch_size 2\n',
  },
  {
    run: 2,
    layers: '24 of openai-community/gpt2-medium @1:26 in run.sh',
    sequence: '384 @1:48 in run.sh',
    dataType: 'bf16 @1:59 in run.sh',
    batch: '2 @1:94 in run.sh',
  },
);

tells(
  'flags over the settings that they name, and files and programs in a folder that only the script knows',
  {
    'run.sh': `
HERE=$(dirname "$0")
torchrun --nproc_per_node 2 $HERE/train.py "\${HERE}/olmo.yaml" \\
  --device_train_microbatch_size=3 --model.n_layers=5 --fsdp.sharding_strategy=_HYBRID_SHARD_ZERO2
`,
    'olmo.yaml': `
model:
  d_model: 64
  n_heads: 4
  n_layers: 2
  max_sequence_length: 128
max_duration: 10
device_train_microbatch_size: 8
precision: amp_bf16
fsdp:
  sharding_strategy: SHARD_GRAD_OP
`,
  },
  {
    title: 'run.sh: train.py',
    batch: '3 @3:34',
    layers: '5 @3:53',
    sequence: '128 @5:24 in olmo.yaml',
    sharding: 'fsdp1 @3:80',
    reshardAfterForward: undefined,
    lost: { batch: [8] },
  },
);

tells(
  'DeepSpeed’s file behind a default in such a folder',
  {
    'run.sh': `\ndeepspeed $HERE/train.py --model_name_or_path gpt2 --bf16 True --deepspeed \${DS:-$HERE/ds.json}\n`,
    'ds.json': '{"zero_optimization": {"stage": 1}}',
  },
  { title: 'run.sh: train.py', sharding: 'zero-1 @1:33 in ds.json' },
);

tells(
  'classes of arguments that the program parses into groups',
  {
    'run.sh':
      '\npython sft.py --model_name gpt2 --training_args.per_device_train_batch_size 6 --peft_config.r 64 --peft_config.target_modules q_proj k_proj\n',
  },
  { batch: '6 @1:77', adapters: '64 q_proj,k_proj 0 fp32 @1:95' },
);

tells(
  'layers that flags give to the program’s own adapters',
  {
    'run.sh': '\npython sft.py --model_name_or_path gpt2 --peft_config.target_modules q_proj k_proj\n',
    'sft.py': `
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
model = get_peft_model(AutoModelForCausalLM.from_pretrained("gpt2"), LoraConfig(r=16, target_modules=["c_attn"]))
Trainer(model, TrainingArguments("out", per_device_train_batch_size=4)).train()
`,
  },
  { adapters: '16 q_proj,k_proj 0 fp32 @3:83 in sft.py' },
);

tells(
  'the layers of adapters where nobody says them',
  { 'run.sh': '\npython train.py --model_name_or_path gpt2 --lora_r 128\n' },
  { adapters: '128 q_proj,v_proj 0 fp32 assumed' },
);

tells(
  'RWKV’s short names, and Lightning’s strategy',
  {
    'run.sh':
      '\npython train.py --micro_bsz 16 --ctx_len 512 --grad_cp 1 --precision bf16 --strategy deepspeed_stage_2\n',
  },
  {
    batch: '16 @1:29',
    sequence: '512 @1:42',
    checkpointing: 'full 1 grad_cp @1:56',
    dataType: 'bf16 @1:70',
    sharding: 'zero-2 @1:86',
  },
);

tells(
  'programs that train nothing by their name, unless they learn at some rate',
  {
    'run.sh': `
python transcribe_speech.py --batch_size 4
python -m eval.mmlu.run_eval --model_name_or_path gpt2
python tools/preprocess_data.py --model gpt2
python finetune_and_eval.py --model_name_or_path gpt2 --learning_rate 1e-5
`,
  },
  { run: 1, title: 'run.sh: finetune_and_eval.py', name: 'gpt2 @4:50' },
);

tells(
  'a program that is handed to another one to start',
  { 'run.sh': '\npython mason.py --gpus 8 -- python open_instruct/grpo.py --model_name_or_path gpt2\n' },
  { title: 'run.sh: open_instruct/grpo.py', name: 'gpt2 @1:79' },
);

tells(
  'processes that srun starts itself',
  { 'run.sh': '\nsrun --ntasks=16 python -u train.py --model_name_or_path gpt2 --grad_checkpoint True\n' },
  { dataParallel: '16 @1:15', checkpointing: 'full 1 grad_checkpoint @1:81' },
);

tells(
  'question and answer that are cut by themselves, given by flags',
  {
    'qlora.py': `
from dataclasses import dataclass, field
from transformers import AutoModelForCausalLM, HfArgumentParser, Seq2SeqTrainer, Seq2SeqTrainingArguments
@dataclass
class DataArguments:
    source_max_len: int = field(default=1024)
    target_max_len: int = field(default=256)
data_args, args = HfArgumentParser((DataArguments, Seq2SeqTrainingArguments)).parse_args_into_dataclasses()
model = AutoModelForCausalLM.from_pretrained("gpt2")
collator = Collator(source_max_len=data_args.source_max_len, target_max_len=data_args.target_max_len)
Seq2SeqTrainer(model=model, args=args)
`,
    'run.sh': 'python qlora.py --source_max_len 16 --target_max_len 512 --per_device_train_batch_size 1\n',
  },
  { run: 2, sequence: '528 = source_max_len 16 + target_max_len 512 @1:54 in run.sh', batch: '1 @1:88 in run.sh' },
);
