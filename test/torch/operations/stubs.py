"""Shapes of what CUDA-only kernels return, so that torch's autograd formulas of them run on the meta device."""

import torch


def install_stubs():
    library = torch.library.Library("aten", "IMPL")
    # `m.impl` and not `impl`: the latter wants operations that torch can decompose to stay decomposed, as CUDA does not.
    library.m.impl("_fused_rms_norm", "Meta", fused_rms_norm)
    library.m.impl("_thnn_fused_gru_cell", "Meta", fused_gru_cell)
    library.m.impl("_thnn_fused_gru_cell_backward", "Meta", fused_gru_cell_backward)
    library.m.impl("log_sigmoid_forward", "Meta", log_sigmoid_forward)
    library.m.impl("_cudnn_rnn", "Meta", cudnn_rnn)
    library.m.impl("_cudnn_rnn_backward", "Meta", cudnn_rnn_backward)
    install_stubs.library = library  # Its kernels go when it goes.


def fused_rms_norm(input, normalized_shape, weight, eps):
    return torch.empty_like(input), input.new_empty((*input.shape[:-1], 1), dtype=torch.float32)


def fused_gru_cell(input_gates, hidden_gates, hidden, input_bias=None, hidden_bias=None):
    return torch.empty_like(hidden), hidden.new_empty(hidden.shape[0], 5 * hidden.shape[1])


def fused_gru_cell_backward(gradient, workspace, has_bias):
    batch, width = gradient.shape
    gates = [gradient.new_empty(batch, 3 * width) for _ in range(2)]
    biases = [gradient.new_empty(3 * width) if has_bias else None for _ in range(2)]
    return *gates, torch.empty_like(gradient), *biases


def log_sigmoid_forward(input):
    """Only the CPU's kernel fills the second result."""
    return torch.empty_like(input), input.new_empty(0)


def cudnn_rnn(input, weights, weight_stride, weight_buffer, hidden, cell, mode, hidden_size, *options):
    """The reserve's size is cuDNN's own business; it is 1000 bytes here."""
    output = input.new_empty(*input.shape[:2], hidden_size)
    reserve = input.new_empty(1000, dtype=torch.uint8)
    return output, torch.empty_like(hidden), torch.empty_like(cell), reserve, weights[0]


def cudnn_rnn_backward(input, weights, weight_stride, weight_buffer, hidden, cell, *rest):
    like = torch.empty_like
    return like(input), like(hidden), like(cell), [like(each) for each in weights]
