/** Training code of about so many lines: blocks with attention and MLP, each called through `checkpoint`, and a run. */
export function trainingCode(lines: number): string {
  const parts = [header];
  let count = header.split('\n').length + footer.split('\n').length;
  for (let index = 0; count < lines; index++) {
    const part = block(index);
    parts.push(part);
    count += part.split('\n').length - 1;
  }
  parts.push(footer);
  return parts.join('');
}

const header = `import math
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts
from transformers import GPT2Config, TrainingArguments

config = GPT2Config(n_layer=24, n_head=16, n_embd=1024, n_positions=1024)
arguments = TrainingArguments("runs", per_device_train_batch_size=8, bf16=True)

`;

const block = (index: number): string => `
class Block${index}(nn.Module):
    """Attention and a gated MLP around two residual connections."""

    def __init__(self, width, heads, dropout=0.1):
        super().__init__()
        self.heads = heads
        self.scale = 1.0 / math.sqrt(width // heads)
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width, bias=False)
        self.output = nn.Linear(width, width)
        self.gate = nn.Linear(width, 4 * width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def attend(self, hidden_states, mask=None):
        batch, length, width = hidden_states.shape
        query, key, value = self.query_key_value(hidden_states).split(width, dim=2)
        query = query.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        key = key.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        value = value.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        scores = F.softmax((query @ key.transpose(-2, -1)) * self.scale, dim=-1)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, float("-inf"))
        return self.output((scores @ value).transpose(1, 2).reshape(batch, length, width))

    def forward(self, hidden_states, mask=None):
        residual = hidden_states
        if self.training:
            hidden_states = checkpoint(self.attend, self.norm_1(hidden_states), mask)
        else:
            hidden_states = self.attend(self.norm_1(hidden_states), mask=mask)
        hidden_states = residual + self.dropout(hidden_states)
        gated = F.silu(self.gate(hidden_states)) * self.up(hidden_states)
        return hidden_states + self.dropout(self.down(self.norm_2(gated)))

`;

const footer = `
def train(model, batches, optimizer):
    for step, (inputs, targets) in enumerate(batches):
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
`;
