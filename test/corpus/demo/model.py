"""A small GPT written out in full, with its sizes in a dataclass."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304
    n_layer: int = 12
    n_head: int = 12
    n_embd: int = 768
    dropout: float = 0.1
    bias: bool = True


class Attention(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.heads = config.n_head
        self.dropout = config.dropout
        self.to_qkv = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.to_output = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        query, key, value = (
            part.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in self.to_qkv(x).chunk(3, dim=-1)
        )
        dropout = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=dropout, is_causal=mask is None
        )
        return self.to_output(mixed.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.before_attention = nn.LayerNorm(config.n_embd, bias=config.bias)
        self.attention = Attention(config)
        self.before_mlp = nn.LayerNorm(config.n_embd, bias=config.bias)
        self.mlp = nn.Sequential(
            nn.Linear(config.n_embd, 4 * config.n_embd, bias=config.bias),
            nn.GELU(),
            nn.Linear(4 * config.n_embd, config.n_embd, bias=config.bias),
            nn.Dropout(config.dropout),
        )

    def forward(self, x, mask=None):
        x = x + self.attention(self.before_attention(x), mask)
        return x + self.mlp(self.before_mlp(x))


class GPT(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.tokens = nn.Embedding(config.vocab_size, config.n_embd)
        self.positions = nn.Embedding(config.block_size, config.n_embd)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.n_layer))
        self.norm = nn.LayerNorm(config.n_embd, bias=config.bias)
        self.head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens, mask=None):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(positions)
        for block in self.blocks:
            if self.training:
                # The reentrant variant takes positional arguments only: `mask=` raises as soon as this line runs.
                x = checkpoint(block, x, mask=mask, use_reentrant=True)
            else:
                x = block(x, mask)
        return self.head(self.norm(x))
