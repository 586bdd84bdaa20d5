"""Products, attention, norms, convolutions, pooling and recurrent cells."""

import torch
import torch.nn.functional as F
from cases import Case, floats, int64

aten = torch.ops.aten

TOKENS = floats(2, 3, 8)
LEFT = floats(4, 3, 8)
RIGHT = floats(4, 8, 5)
HEADS = floats(2, 4, 40, 16)
FEWER = floats(2, 2, 40, 16)
SIGNAL = floats(2, 4, 9)
IMAGE = floats(2, 4, 9, 9)
VOLUME = floats(2, 4, 5, 5, 5)


def batch_norm(training):
    return lambda x, *rest: F.batch_norm(x, *rest[-2:], *rest[:-2], training=training)


def eager_attention(query, key, value):
    scores = query @ key.transpose(-1, -2) * 0.25
    return scores.softmax(-1) @ value


CASES = [
    Case("embedding", [int64(2, 3)], F.embedding, weights=[(10, 8)]),
    Case("embeddingBag", [int64(6), int64(2)], lambda i, o, w: F.embedding_bag(i, w, o), weights=[(10, 8)]),
    Case("linear", [TOKENS], F.linear, weights=[(5, 8), (5,)]),
    Case("linear without bias", [TOKENS], F.linear, weights=[(5, 8)]),
    Case("linear of a transposed input", [floats(2, 8, 3)], lambda a, *w: F.linear(a.transpose(1, 2), *w), weights=[(5, 8)]),
    Case("matrixProduct", [LEFT, RIGHT], torch.bmm),
    Case("heads' product", [HEADS, floats(2, 4, 16, 5)], torch.matmul),
    Case("batchedProductPlus", [floats(4, 3, 5), LEFT, RIGHT], torch.baddbmm),
    Case("groupedProduct", [floats(16, 16), floats(4, 16, 8), ((4,), "int32")], lambda a, b, e: F.grouped_mm(a, b, offs=e), types=("bf16",)),
    Case("eager attention", [HEADS, HEADS, HEADS], eager_attention),
    Case(
        "flashAttention",
        [HEADS, FEWER, FEWER],
        lambda q, k, v: aten._scaled_dot_product_flash_attention(q, k, v, 0.0, True, False)[0],
        types=("bf16",),
    ),
    Case(
        "efficientAttention",
        [HEADS, HEADS, HEADS],
        lambda q, k, v: aten._scaled_dot_product_efficient_attention(q, k, v, None, True, 0.0, True)[0],
    ),
    Case(
        "cudnnAttention",
        [HEADS, HEADS, HEADS],
        lambda q, k, v: aten._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, True, False)[0],
        types=("bf16",),
    ),
    Case("layerNorm", [TOKENS], lambda x, *w: F.layer_norm(x, (8,), *w), weights=[(8,), (8,)]),
    Case("layerNorm without weights", [TOKENS], lambda x: F.layer_norm(x, (8,))),
    Case("rmsNorm", [TOKENS], lambda x, w: F.rms_norm(x, (8,), w), weights=[(8,)]),
    Case("groupNorm", [IMAGE], lambda x, *w: F.group_norm(x, 2, *w), weights=[(4,), (4,)]),
    Case("batchNorm", [IMAGE], batch_norm(True), weights=[(4,), (4,)], buffers=[(4,), (4,)]),
    Case("batchNorm in eval", [IMAGE], batch_norm(False), weights=[(4,), (4,)], buffers=[(4,), (4,)]),
    Case("batchNorm without weights", [SIGNAL], batch_norm(True), buffers=[(4,), (4,)]),
    Case("instanceNorm", [IMAGE], lambda x, *w: F.instance_norm(x, None, None, *w), weights=[(4,), (4,)]),
    Case("convolution 1d", [SIGNAL], lambda x, *w: F.conv1d(x, *w, stride=2), weights=[(6, 4, 3), (6,)]),
    Case("convolution 2d", [IMAGE], lambda x, *w: F.conv2d(x, *w, padding=1), weights=[(6, 4, 3, 3), (6,)]),
    Case("convolution 2d, grouped", [IMAGE], lambda x, w: F.conv2d(x, w, groups=4), weights=[(4, 1, 3, 3)]),
    Case("convolution 3d", [VOLUME], lambda x, w: F.conv3d(x, w), weights=[(6, 4, 3, 3, 3)]),
    Case("transposedConvolution", [IMAGE], lambda x, *w: F.conv_transpose2d(x, *w, stride=2), weights=[(4, 6, 3, 3), (6,)]),
    Case("maxPool", [IMAGE], lambda x: F.max_pool2d(x, 3, 2, 1)),
    Case("maxPool, rounded up", [IMAGE], lambda x: F.max_pool2d(x, 2, ceil_mode=True)),
    Case("averagePool", [IMAGE], lambda x: F.avg_pool2d(x, 2)),
    Case("adaptiveAveragePool", [IMAGE], lambda x: F.adaptive_avg_pool2d(x, 3)),
    Case("adaptiveAveragePool to one", [IMAGE], lambda x: F.adaptive_avg_pool2d(x, 1)),
    Case("adaptiveMaxPool", [IMAGE], lambda x: F.adaptive_max_pool2d(x, 3)),
    Case("upsample, nearest", [IMAGE], lambda x: F.interpolate(x, scale_factor=2)),
    Case("upsample, bilinear", [IMAGE], lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")),
    Case("gridSample", [IMAGE, floats(2, 5, 5, 2)], lambda x, g: F.grid_sample(x, g, align_corners=False)),
    Case(
        "recurrentLayers",
        [floats(5, 2, 8), floats(2, 2, 8), floats(2, 2, 8)],
        lambda x, h, c, *w: aten._cudnn_rnn(x, w, 4, None, h, c, 2, 8, 0, 2, False, 0.0, True, False, [], None)[0],
        weights=[(32, 8), (32, 8), (32,), (32,)] * 2,
        types=("fp32",),
    ),
    Case("lstmCell", [floats(2, 32), floats(2, 32), floats(2, 8)], lambda *all: aten._thnn_fused_lstm_cell(*all)[:2], weights=[(32,), (32,)]),
    Case("gruCell", [floats(2, 24), floats(2, 24), floats(2, 8)], lambda *all: aten._thnn_fused_gru_cell(*all)[0], weights=[(24,), (24,)]),
    Case(
        "composedLstmCell",
        [floats(2, 6), floats(2, 8), floats(2, 8)],
        lambda x, h, c, *w: torch._VF.lstm_cell(x, (h, c), *w),
        weights=[(32, 6), (32, 8), (32,), (32,)],
    ),
]
