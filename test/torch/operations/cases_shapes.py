"""Views, copies, moves and indexing."""

import torch
import torch.nn.functional as F
from cases import Case, floats, int64, mask

A = floats(2, 3, 4)
IMAGE = floats(2, 4, 6, 6)

CASES = [
    Case("view", [A], lambda a: a.view(6, 4)),
    Case("reshape, copied", [A], lambda a: a.transpose(1, 2).reshape(2, 12)),
    Case("contiguous", [A], lambda a: a.transpose(0, 1).contiguous()),
    Case("clone", [A], torch.clone),
    Case("detach", [A], torch.detach),
    Case("transpose", [A], lambda a: a.transpose(0, 2)),
    Case("permute", [A], lambda a: a.permute(2, 0, 1)),
    Case("expand", [floats(2, 1, 4)], lambda a: a.expand(2, 5, 4)),
    Case("repeat", [A], lambda a: a.repeat(1, 2, 1)),
    Case("repeatInterleave", [floats(2, 3, 4, 5)], lambda a: a.repeat_interleave(2, 1)),
    Case("repeatHeads", [floats(2, 3, 4, 5)], lambda a: a[:, :, None].expand(2, 3, 2, 4, 5).reshape(2, 6, 4, 5)),
    Case("slice", [A], lambda a: a[:, :2]),
    Case("select", [A], lambda a: a[:, 0]),
    Case("split", [A], lambda a: a.chunk(2, -1)),
    Case("split into", [A], lambda a: a.split([1, 3], -1)),
    Case("windows", [floats(2, 8)], lambda a: a.unfold(1, 4, 2)),
    Case("concatenate", [A, A], lambda a, b: torch.cat([a, b], -1)),
    Case("concatenate along the first", [A, floats(5, 3, 4)], lambda a, b: torch.cat([a, b], 0)),
    Case("concatenate, of two types", [A, ((2, 3, 4), "fp32")], lambda a, b: torch.cat([a, b], -1), types=("bf16",)),
    Case("stack", [A, A], lambda a, b: torch.stack([a, b], 1)),
    Case("roll", [A], lambda a: a.roll(1, 1)),
    Case("flip", [A], lambda a: a.flip(1)),
    Case("pad", [A], lambda a: F.pad(a, (1, 2, 0, 1))),
    Case("padByCopies", [IMAGE], lambda a: F.pad(a, (1, 2, 0, 1), mode="reflect")),
    Case("imageToColumns", [IMAGE], lambda a: F.unfold(a, 3)),
    Case("columnsToImage", [floats(2, 36, 16)], lambda a: F.fold(a, (6, 6), 3)),
    Case("pixelShuffle", [IMAGE], lambda a: F.pixel_shuffle(a, 2)),
    Case("index", [A, int64(5)], lambda a, i: a[i]),
    Case("index at", [A, int64(5), int64(5)], lambda a, i, j: a[i, j]),
    Case("indexSelect", [A, int64(5)], lambda a, i: a.index_select(1, i)),
    Case("gather", [A, int64(2, 3, 2)], lambda a, i: a.gather(-1, i)),
    Case("scatter", [A, int64(2, 3, 2), floats(2, 3, 2)], lambda a, i, b: a.scatter(-1, i, b)),
    Case("scatterAdd", [A, int64(2, 3, 2), floats(2, 3, 2)], lambda a, i, b: a.scatter_add(-1, i, b)),
    Case("indexAdd", [A, int64(5), floats(5, 3, 4)], lambda a, i, b: a.index_add(0, i, b)),
    Case("indexAdd in place", [A, int64(5), floats(5, 3, 4)], lambda a, i, b: a.index_add_(0, i, b), in_place=True),
    Case("indexPut in place", [A, int64(5), floats(5, 3, 4)], lambda a, i, b: a.index_put_((i,), b), in_place=True),
    Case("maskedSelect", [A, mask(2, 3, 4)], torch.masked_select, device="cpu"),
    Case("index by a mask", [A, mask(2, 3, 4)], lambda a, m: a[m], device="cpu"),
    Case("oneHot", [int64(5)], lambda i: F.one_hot(i, 7), device="cpu"),
    Case("topk", [A], lambda a: a.topk(2)),
    Case("sort", [A], lambda a: a.sort()),
]
