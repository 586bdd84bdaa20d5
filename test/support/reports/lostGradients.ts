import type { Reports } from './report.ts';

/** Parameters that never get a gradient; most of them under the reentrant variant. */
export const lostGradients: Reports = {
  R12: {
    shape: `
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

base = AutoModelForCausalLM.from_pretrained("facebook/opt-350m")
model = get_peft_model(base, LoraConfig(r=8, target_modules=["q_proj", "v_proj"]))
args = TrainingArguments("out", gradient_checkpointing=True)
Trainer(model=model, args=args, train_dataset=data).train()
`,
    codes: ['AC207', 'AC603'],
    versions: { transformers: '4.46.3' },
  },
  R13: {
    shape: `
import lightning as L
from torch import nn
from torch.utils.checkpoint import checkpoint

class Segmenter(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv3d(1, 32, 3)

    def training_step(self, batch, index):
        scan, labels = batch
        features = checkpoint(self.stem, scan, use_reentrant=True)
        return self.loss(features, labels)
`,
    codes: ['AC203'],
  },
  R14: {
    shape: `
from torch.utils.checkpoint import checkpoint

def run_level(mixer, features):
    def run(given):
        return {"hidden": mixer(given)}

    return checkpoint(run, features, use_reentrant=True)["hidden"]
`,
    codes: ['AC204'],
  },
  R15: {
    shape: `
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Probe(nn.Module):
    def features(self, x):
        with torch.no_grad():
            kept = self.backbone(x)
        return self.head(x), kept

    def forward(self, x):
        return checkpoint(self.features, x, use_reentrant=True)
`,
    codes: ['AC205'],
  },
  R16: {
    shape: `
from transformers import BertForSequenceClassification, Trainer, TrainingArguments

model = BertForSequenceClassification.from_pretrained("bert-base-cased")
for weight in model.bert.embeddings.parameters():
    weight.requires_grad = False
options = {"use_reentrant": True}
args = TrainingArguments("out", gradient_checkpointing=True, gradient_checkpointing_kwargs=options)
Trainer(model=model, args=args, train_dataset=data).train()
`,
    codes: ['AC207'],
    versions: { transformers: '4.38.2' },
  },
  R17: {
    shape: `
import torch
from torch.utils.checkpoint import checkpoint

def penalty(critic, real):
    real.requires_grad_(True)
    score = checkpoint(critic, real, use_reentrant=True)
    (slope,) = torch.autograd.grad(score.sum(), real, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()
`,
    codes: ['AC202'],
  },
  R18: {
    shape: `
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("google/gemma-2b")
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
args = TrainingArguments("out", bf16=True, gradient_checkpointing=True)
Trainer(model=model, args=args, train_dataset=data).train()
`,
    codes: ['AC602'],
  },
  R19: {
    shape: `
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForSeq2SeqLM

model = AutoModelForSeq2SeqLM.from_pretrained("google/flan-t5-base")
model = get_peft_model(model, LoraConfig(task_type="SEQ_2_SEQ_LM", r=16))
model.gradient_checkpointing_enable()
`,
    codes: ['AC207'],
    versions: { transformers: '4.40.0' },
  },
  R20: {
    outOfReach:
      'which modules of a frozen image tower get the input hook is decided inside the library, by the loaded model',
  },
  R21: {
    shape: `
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForVision2Seq

model = AutoModelForVision2Seq.from_pretrained("HuggingFaceTB/SmolVLM-Instruct")
model = get_peft_model(model, LoraConfig(r=8, target_modules=r".*vision_model.*(q|v)_proj"))
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
`,
    codes: ['AC207'],
    versions: { transformers: '4.51.0' },
  },
};
