import assert from 'node:assert/strict';
import { modelShape, type PytorchAccount, type RunShape, runShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import type { RunFacts } from '../../../server/core/facts/facts.ts';
import type { Reports } from './report.ts';

/** Memory that did not go down, and estimates that were wrong. */
export const memory: Reports = {
  R63: {
    shape: `
from torch import nn
from torch.utils.checkpoint import checkpoint

class Model(nn.Module):
    def __init__(self, words, width, depth):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(width, 8) for _ in range(depth)])

    def run(self, hidden):
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden

    def forward(self, ids):
        return checkpoint(self.run, self.embedding(ids), use_reentrant=False)
`,
    codes: ['AC501'],
  },
  R64: {
    shape: `
from transformers import AutoModelForCausalLM, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.2-1B", torch_dtype="bfloat16")
args = TrainingArguments("out", per_device_train_batch_size=8, gradient_checkpointing=True)
`,
    codes: [],
    panel(facts) {
      const { strategies, outsideBytes, layerBytes } = accountOf(facts);
      assert.equal(strategies.find(({ name }) => name === 'full')?.peakPhase, 'loss');
      assert.ok(outsideBytes > 2 * layerBytes);
    },
  },
  R65: {
    shape: `
from transformers import AutoModelForCausalLM, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.2-1B", attn_implementation="eager")
ids = tokenizer(text, max_length=4096, truncation=True, padding="max_length")
args = TrainingArguments("out", bf16=True, per_device_train_batch_size=2, gradient_checkpointing=False)
`,
    codes: ['AC507'],
  },
  R66: {
    outOfReach: 'an account of LoRA runs, not of a line of code: the panel counts the activations of the full model',
  },
  R67: {
    shape: `
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=24, n_embd=1024, n_head=16, attn_implementation="flash_attention_2"))
`,
    codes: [],
    panel(facts) {
      const scores = (account: PytorchAccount) =>
        account.layerParts.find(({ key }) => key === 'attention-scores')?.bytes ?? 0;
      assert.ok(scores(accountOf(facts)) < scores(accountOf(facts, 'eager')) / 5);
    },
  },
  R68: { outOfReach: 'a wrong formula in somebody else’s calculator' },
  R69: { outOfReach: 'a reading of somebody else’s calculator, which counts parameters and optimizer states only' },
  R70: { outOfReach: 'what saved-tensor hooks see is decided inside the library as it runs' },
  R71: { outOfReach: 'whether a region is too small to pay needs the sizes of its tensors' },
  R72: {
    shape: `
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Reference(nn.Module):
    @torch.no_grad()
    def log_probabilities(self, hidden):
        for layer in self.layers:
            hidden = checkpoint(layer, hidden, use_reentrant=False)
        return self.head(hidden).log_softmax(-1)
`,
    codes: ['AC502'],
  },
};

function accountOf({ model, run }: RunFacts, attention?: RunShape['attention']): PytorchAccount {
  assert.ok(model !== undefined, 'a model was read');
  const shape = { ...runShape(run), ...(attention !== undefined && { attention }) };
  const account = estimateBudget(modelShape(model), shape, 1).pytorch;
  assert.ok(account !== undefined, 'the family has an account');
  return account;
}
