"""Measures on real PyTorch what autograd keeps of single operations, and prints it as lines of JSON: autocast's lists
first, then a line for each measurement.

    python measure.py > ../../goldens/operations.jsonl

Tensors lie on the meta device, which runs torch's own autograd formulas without data. Where CUDA takes a kernel that the
meta device lacks, only the shapes of its results are given here (`stubs`); what of it is kept is still torch's formula.
"""

import json
import re
from pathlib import Path

import torch
from torch.utils.flop_counter import FlopCounterMode

import cases_elementwise
import cases_layers
import cases_shapes
from cases import Case
from stubs import install_stubs

TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "int64": torch.int64, "int32": torch.int32, "bool": torch.bool}
NAMES = {kind: name for name, kind in TYPES.items()}


def main():
    install_stubs()
    cases = [*cases_elementwise.CASES, *cases_shapes.CASES, *cases_layers.CASES]
    print(json.dumps({"torch": ".".join(torch.__version__.split(".")[:2]), "autocast": autocast_lists()}))
    for case in cases:
        for row in measured(case):
            print(json.dumps(row))


def measured(case: Case):
    """All inputs and weights with a gradient, then each input alone with frozen weights, then only the weights."""
    floating = [at for at, (_, kind) in enumerate(case.inputs) if kind in ("float", "fp32", "bf16")]
    for element in case.types:
        yield one(case, element, floating, True)
    if len(floating) > 1 or case.weights:
        for at in floating:
            yield one(case, case.types[0], [at], False)
    if case.weights and floating and not case.in_place:
        yield one(case, case.types[0], [], True)


def one(case: Case, element: str, wanted, weights_learn):
    def make(shape, kind, learns):
        chosen = TYPES[element if kind == "float" else kind]
        return torch.ones(shape, device=case.device, dtype=chosen, requires_grad=learns)

    inputs = [make(shape, kind, at in wanted) for at, (shape, kind) in enumerate(case.inputs)]
    weights = [make(shape, "float", weights_learn) for shape in case.weights]
    buffers = [torch.ones(shape, device=case.device) for shape in case.buffers]
    saved = []
    # An in-place operation may not change a leaf, so it is given copies that are none.
    given = [each.clone() if case.in_place and each.requires_grad else each for each in inputs]
    with torch.autograd.graph.saved_tensors_hooks(lambda each: saved.append(each) or each, lambda each: each):
        with FlopCounterMode(display=False) as counter:
            results = case.run(*given, *weights, *buffers)
    outputs = [each for each in (results if isinstance(results, (tuple, list)) else [results]) if each is not None]
    return {
        "case": case.name,
        "inputs": [[NAMES[each.dtype], *each.shape] for each in inputs],
        "learns": [at in wanted for at, _ in enumerate(inputs)],
        "frozen": not weights_learn,
        "weights": element,
        "outputs": [[NAMES.get(each.dtype, "other"), *each.shape] for each in outputs],
        "strides": [list(each.stride()) for each in outputs],
        "kept": kept_names([each for each in saved if key(each) not in map(key, buffers)], given, weights, outputs),
        "gradients": gradients(inputs, wanted, outputs),
        "flops": counter.get_total_flops(),
    }


def key(tensor):
    return tensor.untyped_storage()._cdata


def kept_names(saved, inputs, weights, outputs):
    """Distinct storages: an input or output by its place, a weight or anything new by its bytes."""
    known = {}
    for at, each in enumerate(outputs):
        known[key(each)] = f"output {at}"
    for each in weights:
        known[key(each)] = f"weight of {each.untyped_storage().nbytes()}"
    for at, each in enumerate(inputs):
        known[key(each)] = f"input {at}"
    storages = {key(each): each.untyped_storage().nbytes() for each in saved}
    return sorted(known.get(storage, f"{size} bytes") for storage, size in storages.items() if size > 0)


def gradients(inputs, wanted, outputs):
    """For each input the bytes of its gradient's own storage; 0 where it lies over the output's gradient."""
    result = next((each for each in outputs if each.requires_grad), None)
    if result is None or not wanted:
        return [None for _ in inputs]
    arriving = torch.empty_like(result, memory_format=torch.contiguous_format, requires_grad=False)
    found = iter(torch.autograd.grad(result, [inputs[at] for at in wanted], arriving, allow_unused=True))
    return [own_bytes(next(found), arriving) if at in wanted else None for at, _ in enumerate(inputs)]


def own_bytes(gradient, arriving):
    if gradient is None:
        return None
    return 0 if key(gradient) == key(arriving) else gradient.untyped_storage().nbytes()


def autocast_lists():
    """The lists of CUDA's autocast, from the header torch ships."""
    text = Path(torch.__file__, "..", "include", "ATen", "autocast_mode.h").resolve().read_text()
    macro = lambda name: re.search(rf"#define {name}\(_\)(.*?)\n\n", text, re.S).group(1)
    names = lambda *macros: sorted({op for each in macros for op in re.findall(r"_\((\w+)", macro(each))})
    return {
        "low": names("AT_FORALL_LOWER_PRECISION_FP"),
        "fp32": names("AT_FORALL_FP32", "AT_FORALL_FP32_SET_OPT_DTYPE"),
        "widest": names("AT_FORALL_PROMOTE"),
    }


main()
