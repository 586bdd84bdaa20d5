import { reads } from './check.ts';

const gpt2 = 'from transformers import AutoModelForCausalLM\nmodel = AutoModelForCausalLM.from_pretrained("gpt2")\n';
const trainer = `${gpt2}from transformers import TrainingArguments\n`;

// A trainer's switch

reads(
  'the options of the switch: variant, every n layers, offload',
  `${trainer}args = TrainingArguments("out", gradient_checkpointing=True,
    gradient_checkpointing_kwargs={"use_reentrant": False, "every_n_layers": 3, "offload": True})
`,
  { checkpointing: 'full 1 non-reentrant 3 true gradient_checkpointing @4:56' },
);

reads(
  'options of torch without the variant take the reentrant one',
  `${trainer}args = TrainingArguments("out", gradient_checkpointing=True,
    gradient_checkpointing_kwargs={"preserve_rng_state": False})
`,
  { checkpointing: 'full 1 reentrant gradient_checkpointing @4:56' },
);

reads(
  'without options the variant is left to the version of the library',
  `${trainer}args = TrainingArguments("out", gradient_checkpointing=True)
`,
  { checkpointing: 'full 1 gradient_checkpointing @4:56' },
);

reads(
  'options that are set later',
  `${trainer}args = TrainingArguments("out")
args.gradient_checkpointing = True
args.gradient_checkpointing_kwargs = {"use_reentrant": True}
`,
  { checkpointing: 'full 1 reentrant gradient_checkpointing @5:31' },
);

reads(
  "the trainer's switch runs after the call on the model",
  `${trainer}model.gradient_checkpointing_enable({"use_reentrant": True})
args = TrainingArguments("out", gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False})
`,
  { checkpointing: 'full 1 non-reentrant gradient_checkpointing @5:56' },
);

reads(
  'a trainer that is told not to checkpoint switches nothing off',
  `${trainer}model.gradient_checkpointing_enable()
args = TrainingArguments("out", gradient_checkpointing=False)
`,
  {
    checkpointing: 'full 1 gradient_checkpointing_enable @4:1',
    notes: [/the trainer says gradient_checkpointing=False/],
  },
);

reads(
  'a switch of the arguments that is off by default',
  `
import argparse
${trainer}parser = argparse.ArgumentParser()
parser.add_argument("--gradient_checkpointing", action="store_true")
flags = parser.parse_args()
args = TrainingArguments("out", gradient_checkpointing=flags.gradient_checkpointing)
`,
  { checkpointing: 'none 1 @6:56', notes: [/--gradient_checkpointing/] },
);

// Calls on the model

reads(
  'a call on the model with options by position and by name',
  `${gpt2}model.gradient_checkpointing_enable({"use_reentrant": False}, every_n_layers=2, offload=True)
`,
  { checkpointing: 'full 1 non-reentrant 2 true gradient_checkpointing_enable @3:1' },
);

reads(
  'the last call on an object counts',
  `${gpt2}model.gradient_checkpointing_enable()
model.gradient_checkpointing_disable()
`,
  { checkpointing: 'none 1 @4:1' },
);

reads(
  'another object switched off leaves this one on',
  `${gpt2}model.gradient_checkpointing_enable()
teacher.gradient_checkpointing_disable()
`,
  { checkpointing: 'full 1 gradient_checkpointing_enable @3:1' },
);

reads(
  'switched on again where it is only perhaps switched off',
  `${gpt2}model.gradient_checkpointing_enable()
if slow:
    model.gradient_checkpointing_disable()
`,
  { checkpointing: 'full 1 gradient_checkpointing_enable @3:1' },
);

reads(
  'in a function that runs under an option',
  `
import argparse
${gpt2}def prepare(model):
    model.gradient_checkpointing_enable()
parser = argparse.ArgumentParser()
parser.add_argument("--save-memory", action="store_true")
args = parser.parse_args()
if args.save_memory:
    prepare(model)
`,
  {
    checkpointing: 'none 1 = gradient_checkpointing_enable() on line 5 does not run: args.save_memory with False @7:45',
  },
);

reads(
  'where the model is asked whether it can',
  `${gpt2}if hasattr(model, "gradient_checkpointing_enable"):
    model.gradient_checkpointing_enable()
`,
  { checkpointing: 'full 1 gradient_checkpointing_enable @4:5' },
);

reads(
  "timm's switch",
  `
import timm
model = timm.create_model("vit_base_patch16_224")
model.set_grad_checkpointing()
`,
  { checkpointing: 'full 1 set_grad_checkpointing @3:1' },
);

reads(
  "timm's switch under an option that is off",
  `
import argparse, timm
parser = argparse.ArgumentParser()
parser.add_argument("--grad-checkpointing", action="store_true", default=False)
args = parser.parse_args()
model = timm.create_model("vit_base_patch16_224")
if args.grad_checkpointing:
    model.set_grad_checkpointing(enable=True)
`,
  {
    checkpointing: 'none 1 = set_grad_checkpointing() on line 7 does not run: args.grad_checkpointing with False @3:74',
  },
);

reads(
  "timm's switch by a value that is not known",
  `
import timm
model = timm.create_model("vit_base_patch16_224")
model.set_grad_checkpointing(wanted)
`,
  {
    checkpointing: 'full 1 set_grad_checkpointing = set_grad_checkpointing() on line 3, if wanted @3:1',
    notes: [/depends on wanted/],
  },
);

reads(
  "timm's switch switched off",
  `
import timm
model = timm.create_model("vit_base_patch16_224")
model.set_grad_checkpointing(enable=False)
`,
  { checkpointing: 'none 1 @3:37' },
);

const unet = `
import torch
from diffusers import UNet2DConditionModel
unet = UNet2DConditionModel.from_pretrained("runwayml/stable-diffusion-v1-5", subfolder="unet")
optimizer = torch.optim.AdamW(unet.parameters())
batch_size = 2
`;

reads("diffusers' switch", `${unet}unet.enable_gradient_checkpointing()\n`, {
  checkpointing: 'full 1 enable_gradient_checkpointing @6:1',
});

reads(
  "diffusers' switch in the branch that runs",
  `${unet}cheap = True
if cheap:
    unet.enable_gradient_checkpointing()
else:
    unet.disable_gradient_checkpointing()
`,
  { checkpointing: 'full 1 enable_gradient_checkpointing @8:5' },
);

reads(
  'a model of the pipeline beside the one that trains',
  `${unet}vae.disable_gradient_checkpointing()
unet.enable_gradient_checkpointing()
`,
  { checkpointing: 'full 1 enable_gradient_checkpointing @7:1' },
);

// Quantised models

const quantised = `
from peft import prepare_model_for_kbit_training
from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2", load_in_4bit=True)
`;

reads(
  'preparing a quantised model, and a trainer that is told not to checkpoint',
  `${quantised}model = prepare_model_for_kbit_training(model)
args = TrainingArguments("out", gradient_checkpointing=False)
`,
  {
    checkpointing:
      'full 1 reentrant prepare_model_for_kbit_training default peft prepare_model_for_kbit_training(use_gradient_checkpointing)',
    notes: [/the trainer says gradient_checkpointing=False/],
  },
);

reads(
  'preparing it with the variant',
  `${quantised}model = prepare_model_for_kbit_training(model, True, gradient_checkpointing_kwargs={"use_reentrant": False})
`,
  { checkpointing: 'full 1 non-reentrant prepare_model_for_kbit_training @4:48' },
);

reads(
  "the trainer's switch takes the place of peft's",
  `${quantised}model = prepare_model_for_kbit_training(model)
args = TrainingArguments("out", gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False})
`,
  { checkpointing: 'full 1 non-reentrant gradient_checkpointing @5:56' },
);

reads(
  'preparing it without checkpointing',
  `${quantised}model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=False)
`,
  { checkpointing: 'none 1 @4:75' },
);

// unsloth

const unsloth = `
from unsloth import FastLanguageModel
model, tokenizer = FastLanguageModel.from_pretrained("unsloth/Llama-3.2-1B", max_seq_length=4096)
`;

reads(
  "unsloth's own kind",
  `${unsloth}model = FastLanguageModel.get_peft_model(model, r=8, use_gradient_checkpointing="unsloth")
`,
  { checkpointing: 'full 1 reentrant true unsloth @3:81' },
);

reads(
  'the plain kind in unsloth',
  `${unsloth}model = FastLanguageModel.get_peft_model(model, r=8, use_gradient_checkpointing=True)
`,
  { checkpointing: 'full 1 reentrant unsloth @3:81' },
);

reads(
  'none in unsloth',
  `${unsloth}model = FastLanguageModel.get_peft_model(model, r=8, use_gradient_checkpointing=False)
`,
  { checkpointing: 'none 1 @3:81' },
);

reads('what unsloth does when nothing is said', `${unsloth}model = FastLanguageModel.get_peft_model(model, r=8)\n`, {
  checkpointing: 'full 1 reentrant true unsloth default unsloth get_peft_model(use_gradient_checkpointing)',
});

// Tensors in host memory

reads(
  'regions inside save_on_cpu',
  `${gpt2}import torch
model.gradient_checkpointing_enable({"use_reentrant": False})
with torch.autograd.graph.save_on_cpu(pin_memory=True):
    loss = model(**batch).loss
loss.backward()
`,
  {
    checkpointing: 'full 1 non-reentrant true gradient_checkpointing_enable = kept in host memory by line 5 @5:6',
  },
);

reads(
  'save_on_cpu alone',
  `${gpt2}from torch.autograd.graph import save_on_cpu
with save_on_cpu():
    model(**batch).loss.backward()
`,
  { checkpointing: 'none 1 = no checkpoint call in this file', notes: [/line 4 keeps saved tensors in host memory/] },
);

reads(
  'save_on_cpu under an option that is off',
  `
import argparse, torch
${gpt2}parser = argparse.ArgumentParser()
parser.add_argument("--offload", action="store_true")
args = parser.parse_args()
model.gradient_checkpointing_enable()
if args.offload:
    hooks = torch.autograd.graph.save_on_cpu()
`,
  { checkpointing: 'full 1 gradient_checkpointing_enable @7:1' },
);

reads(
  'in a function that the script runs, below its name',
  `${gpt2}def main():
    model.gradient_checkpointing_enable()
if __name__ == "__main__":
    main()
`,
  { checkpointing: 'full 1 gradient_checkpointing_enable @4:5' },
);
