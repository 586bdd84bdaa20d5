import torch
from torch.utils.checkpoint import checkpoint
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        q, k, v = self.attention(self.norm(x)).chunk(3, dim=-1)
        x = x + self.dropout(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True))
        return x + self.down(torch.relu(self.up(x)))


class Net(nn.Module):
    def __init__(self, width=16, layers=6):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(layers)])

    def forward(self, x):
        if self.training:
            def run_segment(start, x):
                for block in self.blocks[start : start + 4]:
                    x = block(x)
                return x

            for start in range(0, len(self.blocks), 4):
                x = checkpoint(run_segment, start, x, use_reentrant=False)
        else:
            for block in self.blocks:
                x = block(x)
        return x


def train(inputs):
    model = Net()
    model(inputs).square().mean().backward()
    return model
