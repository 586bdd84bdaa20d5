"""What "Apply Strategy" writes into a model computes the gradients of the model as it was, and runs its layers again in the backward pass."""

import importlib.util
import json
import pathlib
import re

import torch

folder = pathlib.Path(__file__).parents[2] / "unit" / "apply" / "edited"


def load(name, probability):
    source = (folder / f"{name}.py").read_text().replace("nn.Dropout(0.1)", f"nn.Dropout({probability})")
    spec = importlib.util.spec_from_loader(name, loader=None)
    module = importlib.util.module_from_spec(spec)
    exec(compile(source, name, "exec"), module.__dict__)
    return module


def run(name, probability):
    """Gradients by the names that parameters have without wrappers."""
    module = load(name, probability)
    torch.manual_seed(0)
    inputs = torch.randn(4, 1, 32, 16, requires_grad=True)
    torch.manual_seed(1)
    model = module.train(inputs)
    gradients = {
        re.sub(r"_checkpoint_wrapped_module\.", "", key): parameter.grad for key, parameter in model.named_parameters()
    }
    return {**gradients, "inputs": inputs.grad}


forms = ["full", "segments", "guarded", "policy", "sequential", "wrapper"]
for probability in (0.0, 0.1):
    plain = run("plain", probability)
    for form in forms:
        edited = run(form, probability)
        names = {re.sub(r"^blocks\.", "", key) for key in plain}
        assert {re.sub(r"^blocks\.", "", key) for key in edited} == names, (form, set(edited) ^ set(plain))
        for key, gradient in plain.items():
            assert torch.equal(edited[key], gradient), (form, probability, key)

for form in forms:
    replays = []
    module = load(form, 0.0)
    block = module.Block.forward
    module.Block.forward = lambda self, x: (replays.append(1), block(self, x))[1]
    module.train(torch.randn(4, 1, 32, 16, requires_grad=True))
    # Six layers forward; checkpoint_sequential leaves its last segment of two alone.
    assert len(replays) == 6 + (4 if form == "sequential" else 6), (form, len(replays))

print(
    json.dumps(
        {
            "code": "apply",
            "flagged": "six layers in a plain loop",
            "fixed": f"ok: gradients of {', '.join(forms)} are bit-equal to the plain loop's, with and without dropout",
        }
    )
)
