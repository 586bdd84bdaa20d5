"""AC108: numbers of segments that raise, that checkpoint nothing, and that leave a large last segment."""

import json

import torch
from torch.utils.checkpoint import checkpoint_sequential

torch.manual_seed(0)
ran = []


class Layer(torch.nn.Linear):
    def forward(self, t):
        ran.append(layers.index(self))
        return super().forward(t).tanh()


layers = [Layer(4, 4) for _ in range(8)]
x = torch.randn(2, 4, requires_grad=True)


def error(run):
    try:
        run()
    except Exception as raised:
        return f"{type(raised).__name__}: {raised}"


def checkpointed(segments):
    ran.clear()
    checkpoint_sequential(layers, segments, x, use_reentrant=False).sum().backward()
    return sum(ran.count(index) == 2 for index in range(8))


assert error(lambda: checkpointed(0)).startswith("ZeroDivisionError")
assert error(lambda: checkpointed(2.0)) == "TypeError: 'float' object cannot be interpreted as an integer"
message = error(lambda: checkpointed(9))
assert message == "ValueError: range() arg 3 must not be zero", message
assert [checkpointed(segments) for segments in (1, -1, 3)] == [0, 0, 4]
assert [checkpointed(segments) for segments in (2, 4, 8)] == [4, 6, 7]
print(json.dumps({"code": "AC108", "flagged": f"9 of 8: {message}; 1: nothing is checkpointed; 3: 4 of 8 layers", "fixed": "ok: 2, 4 and 8 segments checkpoint 4, 6 and 7 layers"}))
