import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing, checkpoint_wrapper


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
        self.blocks = nn.Sequential(*[Block(width) for _ in range(layers)])

    def forward(self, x):
        return self.blocks(x)


def train(inputs):
    model = Net()
    apply_activation_checkpointing(
        model,
        checkpoint_wrapper_fn=checkpoint_wrapper,
        check_fn=lambda module: isinstance(module, Block),
    )
    model(inputs).square().mean().backward()
    return model
