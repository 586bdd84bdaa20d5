"""Measures rows of the goldens again: reads them as JSON from standard input, writes what it found as one line of JSON."""

import functools
import json
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

from kept_storages import KeptStorages, cuda_kernels
from live_storages import step_memory

warnings.filterwarnings("ignore")
TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}


class TextbookBlock(nn.Module):
    """The block of the literature: LayerNorm, fused query, key and value, eager attention, a 4h MLP with gelu."""

    def __init__(self, hidden, heads, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.first_norm, self.second_norm = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.query_key_value, self.output = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, input):
        batch, sequence, hidden = input.shape
        size = hidden // self.heads
        projected = self.query_key_value(self.first_norm(input)).view(batch, sequence, 3, self.heads, size)
        query, key, value = projected.permute(2, 0, 3, 1, 4)
        scores = torch.softmax(query @ key.transpose(-1, -2) * size**-0.5, -1)
        attended = F.dropout(scores, self.dropout, True) @ value
        joined = attended.transpose(1, 2).reshape(batch, sequence, hidden)
        middle = input + F.dropout(self.output(joined), self.dropout, True)
        return middle + F.dropout(self.down(F.gelu(self.up(self.second_norm(middle)))), self.dropout, True)


def blocks_and_input(row, layers, hidden, heads):
    with torch.device("meta"):
        blocks = nn.Sequential(*(TextbookBlock(hidden, heads, row["dropout"]) for _ in range(layers)))
        input = torch.empty(row["batch"], row["sequence"], hidden, dtype=TYPES[row["dataType"]], requires_grad=True)
    return blocks.to(TYPES[row["dataType"]]), input


def bare_blocks(row):
    sizes = row["config"]
    blocks, input = blocks_and_input(row, 3, sizes["hidden_size"], sizes["num_attention_heads"])
    with cuda_kernels("eager"), KeptStorages(blocks, [input]) as kept:
        blocks(input).sum()
    return {"layerBytes": kept.within("1"), "totalBytes": kept.total()}


def whole_model(row):
    # Nothing here looks at pictures, and a torchvision that was built for another torch ends the import.
    sys.modules.setdefault("torchvision", None)
    import transformers
    from transformers import masking_utils

    # Packed sequences are looked for in the ids, which the meta device does not have.
    masking_utils.find_packed_sequence_indices = lambda *_: None
    config = transformers.AutoConfig.for_model(row["model"], **row["config"])
    config._attn_implementation = "eager" if row["attention"] == "eager" else "sdpa"
    torch.set_default_dtype(TYPES[row["dataType"]])
    with torch.device("meta"):
        model = getattr(transformers, row["modelClass"])(config).train()
    torch.set_default_dtype(torch.float32)
    arguments = arguments_of(model, row)
    inputs = [value for value in arguments.values() if isinstance(value, torch.Tensor)]
    with cuda_kernels(row["attention"]), KeptStorages(model, inputs) as kept:
        model(**arguments)
    stack = next(name for name, module in model.named_modules() if isinstance(module, nn.ModuleList))
    layers = [kept.within(f"{stack}.{at}") for at in range(len(model.get_submodule(stack)))]
    return {"layersBytes": layers, "outsideBytes": kept.total() - sum(layers), "totalBytes": kept.total()}


def arguments_of(model, row):
    ids = torch.zeros(row["batch"], row["sequence"], dtype=torch.long, device="meta")
    if row["model"] == "vit":
        side = model.config.image_size
        pixels = torch.zeros(row["batch"], 3, side, side, dtype=TYPES[row["dataType"]], device="meta")
        return {"pixel_values": pixels, "labels": torch.zeros(row["batch"], dtype=torch.long, device="meta")}
    if model.config.is_encoder_decoder:
        return {"input_ids": ids, "decoder_input_ids": ids.clone(), "labels": ids, "use_cache": False}
    if row["model"] in ("bert", "roberta", "distilbert"):
        return {"input_ids": ids, "labels": ids}
    return {"input_ids": ids, "labels": ids, "use_cache": False}


def checkpointed_blocks(row):
    sized = {"batch": 1, "sequence": 1024, "dataType": "bf16", "dropout": row["dropout"]}
    blocks, input = blocks_and_input(sized, 12, 1024, 16)
    with cuda_kernels("eager"):
        return step_memory(blocks, [input], lambda: run_blocks(list(blocks), input, row).sum())


def run_blocks(blocks, input, row):
    plan, length = row["plan"], row["segment"]
    if plan == "none":
        return functools.reduce(lambda value, block: block(value), blocks, input)
    if plan == "sequential":
        return checkpoint_sequential(blocks, -(-len(blocks) // length), input, use_reentrant=row["reentrant"])
    value = input
    for start in range(0, len(blocks), length):
        segment = nn.Sequential(*blocks[start : start + length])
        is_plain = plan == "skip_last" and start + length >= len(blocks)
        value = segment(value) if is_plain else checkpoint(segment, value, use_reentrant=row["reentrant"])
    return value


def measured(row):
    if "plan" in row:
        return checkpointed_blocks(row)
    return bare_blocks(row) if row["library"] == "torch" else whole_model(row)


print(json.dumps([{"id": row["id"], **measured(row)} for row in json.load(sys.stdin)]))
