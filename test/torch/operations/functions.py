"""Autograd functions of libraries, down to what they save: kernels written in Triton cannot run here."""

import torch


class OwnGelu(torch.autograd.Function):
    """BLOOM's GELU: the approximation by tanh, written out in both directions."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 0.5 * (1 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * x


class GatedActivation(torch.autograd.Function):
    """Liger's SwiGLU and GEGLU: gate and up are kept, and overwritten with their gradients."""

    @staticmethod
    def forward(ctx, gate, up):
        ctx.save_for_backward(gate, up)
        return torch.empty_like(gate)

    @staticmethod
    def backward(ctx, gradient):
        return ctx.saved_tensors


class CutCrossEntropy(torch.autograd.Function):
    """Head and loss without logits: hidden states, labels and one log-sum-exp for each row are kept."""

    @staticmethod
    def forward(ctx, hidden, labels, weight):
        ctx.save_for_backward(hidden, labels, weight, hidden.new_empty(hidden.shape[0], dtype=torch.float32))
        return hidden.new_empty((), dtype=torch.float32)

    @staticmethod
    def backward(ctx, gradient):
        hidden, _, weight, _ = ctx.saved_tensors
        return torch.empty_like(hidden), None, torch.empty_like(weight)


class LinearLossInChunks(torch.autograd.Function):
    """Liger's head and loss: both gradients are worked out in the forward pass, a chunk of rows at a time, and kept."""

    @staticmethod
    def forward(ctx, hidden, labels, weight):
        ctx.save_for_backward(torch.empty_like(hidden), torch.empty_like(weight) if weight.requires_grad else None)
        return hidden.new_empty((), dtype=torch.float32)

    @staticmethod
    def backward(ctx, gradient):
        of_hidden, of_weight = ctx.saved_tensors
        return of_hidden, None, of_weight
