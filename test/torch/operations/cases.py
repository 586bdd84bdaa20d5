"""How a measured operation is described."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    """The inputs as (shape, kind); kind is float, int64, int32 or bool."""
    inputs: list
    """Called with the inputs, the weights, the buffers."""
    run: Callable
    """Shapes of the weights."""
    weights: list = field(default_factory=list)
    """Shapes of buffers such as running statistics; what is kept of them is no activation."""
    buffers: list = field(default_factory=list)
    types: tuple = ("fp32", "bf16")
    in_place: bool = False
    # What looks at values (a mask that selects) runs on real zeros and ones.
    device: str = "meta"


def floats(*shape):
    return (shape, "float")


def int64(*shape):
    return (shape, "int64")


def mask(*shape):
    return (shape, "bool")
