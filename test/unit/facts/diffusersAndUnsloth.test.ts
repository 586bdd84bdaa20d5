import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, reads, told } from './check.ts';
import { tells } from './configFiles/check.ts';

// diffusers

const diffusion = `
import argparse
from accelerate import Accelerator
from diffusers import UNet2DConditionModel
parser = argparse.ArgumentParser()
parser.add_argument("--pretrained_model_name_or_path", type=str, default="stabilityai/sdxl-base")
parser.add_argument("--resolution", type=int, default=512)
parser.add_argument("--train_batch_size", type=int, default=16)
parser.add_argument("--gradient_accumulation_steps", type=int, default=4)
parser.add_argument("--mixed_precision", type=str, default="bf16")
parser.add_argument("--gradient_checkpointing", action="store_true")
args = parser.parse_args()
accelerator = Accelerator(mixed_precision=args.mixed_precision)
unet = UNet2DConditionModel.from_pretrained(args.pretrained_model_name_or_path, subfolder="unet")
if args.gradient_checkpointing:
    unet.enable_gradient_checkpointing()
`;

reads('diffusers: a training script with its options', diffusion, {
  model: 'none',
  batch: '16 @7:61',
  gradientAccumulation: '4 @8:72',
  dataType: 'bf16 @9:60',
  autocast: 'true @9:60',
  checkpointing:
    'none 1 = enable_gradient_checkpointing() on line 15 does not run: args.gradient_checkpointing with False @10:56',
});

test('diffusers: the model is named by the option’s default', () => {
  const facts = factsOf(diffusion.slice(1));
  assert.equal(facts?.namedModel && told(facts.namedModel), 'stabilityai/sdxl-base @5:74');
});

tells(
  'diffusers: as it is started',
  {
    'run.sh': `
accelerate launch train.py \\
  --pretrained_model_name_or_path=stabilityai/sdxl-base \\
  --resolution=1024 --train_batch_size=1 --gradient_accumulation_steps=4 \\
  --mixed_precision="bf16" --gradient_checkpointing
`,
    'train.py': diffusion,
  },
  {
    name: 'stabilityai/sdxl-base @2:35',
    batch: '1 @3:40',
    gradientAccumulation: '4 @3:72',
    dataType: 'bf16 @4:21',
    checkpointing: 'full 1 gradient_checkpointing @4:28',
  },
);

reads(
  'diffusers: a transformer with everything written down',
  `
import torch
from diffusers import FluxTransformer2DModel
transformer = FluxTransformer2DModel.from_pretrained("someone/flux", subfolder="transformer")
transformer.to(torch.bfloat16)
transformer.enable_gradient_checkpointing()
loader = torch.utils.data.DataLoader(data, batch_size=2, shuffle=True)
optimizer = torch.optim.AdamW(transformer.parameters(), lr=1e-5, fused=True)
`,
  {
    model: 'none',
    batch: '2 @6:55',
    dataType: 'bf16 @4:16',
    checkpointing: 'full 1 enable_gradient_checkpointing @5:1',
    optimizer: 'adamw @7:13',
    optimizerImplementation: 'fused @7:72',
  },
);

// unsloth

const unsloth = (load: string, adapt: string) => `
from unsloth import FastLanguageModel, is_bfloat16_supported
from trl import SFTConfig, SFTTrainer
max_seq_length = 4096
model, tokenizer = FastLanguageModel.from_pretrained(${load})
model = FastLanguageModel.get_peft_model(model, ${adapt})
trainer = SFTTrainer(model=model, args=SFTConfig(
    per_device_train_batch_size=2,
    gradient_accumulation_steps=4,
    bf16=is_bfloat16_supported(),
    optim="adamw_8bit",
))
`;

reads(
  'unsloth: a notebook’s script',
  unsloth(
    'model_name="unsloth/Llama-3.2-3B", max_seq_length=max_seq_length, load_in_4bit=True',
    'r=16, target_modules=["q_proj", "v_proj"], lora_dropout=0, use_gradient_checkpointing="unsloth"',
  ),
  {
    name: 'unsloth/Llama-3.2-3B @4:65',
    layers: '28 of meta-llama/Llama-3.2-3B @4:65',
    sequence: '4096 @3:18',
    quantisation: 'nf4 @4:133',
    adapters: '16 q_proj,v_proj 0 fp32 @5:51',
    batch: '2 @7:33',
    gradientAccumulation: '4 @8:33',
    optimizer: 'adamw-8bit @10:11',
    checkpointing: 'full 1 reentrant true unsloth @5:135',
    dataType: 'bf16 = true, on a GPU with is_bfloat16_supported() @9:10',
  },
);

reads(
  'unsloth: 16 bits and everything trained',
  unsloth(
    '"unsloth/Qwen2.5-0.5B", max_seq_length=max_seq_length, load_in_4bit=False, full_finetuning=True',
    'r=8, use_gradient_checkpointing=False',
  ),
  {
    name: 'unsloth/Qwen2.5-0.5B @4:54',
    quantisation: undefined,
    sequence: '4096 @3:18',
    checkpointing: 'none 1 @5:81',
  },
);
