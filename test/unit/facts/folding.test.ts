import { reads } from './check.ts';

const configured = (layers: string): string => `from transformers import GPT2Config
config = GPT2Config(n_layer=${layers})
`;

reads(
  'an f-string in a name',
  `
from transformers import AutoModelForCausalLM
size = "1B"
model = AutoModelForCausalLM.from_pretrained(f"meta-llama/Llama-3.2-{size}")
`,
  { layers: '16 of meta-llama/Llama-3.2-1B @3:46' },
);

reads(
  'an f-string with a format is not worked out',
  `
from transformers import AutoModelForCausalLM
size = 1
model = AutoModelForCausalLM.from_pretrained(f"meta-llama/Llama-3.2-{size:d}B")
`,
  { model: 'none' },
);

reads(
  'items of a list and of a table by number',
  `
sizes = [2, 4, 6]
table = {0: 3, 1: 5}
${configured('sizes[-1] + table[1]')}`,
  { layers: '11 = sizes[-1] + table[1] @4:29' },
);

reads(
  'a table with a default',
  `
depth = {"small": 4, "large": 24}
${configured('depth.get("tiny", 2)')}`,
  { layers: '2 @3:47' },
);

reads(
  'a key that a table has',
  `
depth = {"small": 4, "large": 24}
name = "large"
${configured('depth[name]')}`,
  { layers: '24 @2:8' },
);

reads(
  'the branch that a known test takes',
  `
import os
debug = False
if debug:
    layers = 2
else:
    layers = 10
${configured('layers')}`,
  { layers: '10 @6:14' },
);

reads(
  'a branch that only a run decides is not chosen',
  `
import sys
if sys.argv:
    layers = 2
else:
    layers = 10
${configured('layers')}`,
  { model: 'none' },
);

reads(
  'membership in a written list',
  `
name = "small"
${configured('4 if name in ("tiny", "small") else 24')}`,
  { layers: '4 @3:29' },
);

reads(
  'rounding up, and lengths of lists',
  `
import math
kinds = ["a", "b", "c"]
${configured('math.ceil(7 / 2) * len(kinds)')}`,
  { layers: '12 = math.ceil(7 / 2) * len(kinds) @4:29' },
);

reads(
  'the environment, with a number as text',
  `
import os
${configured('int(os.environ.get("LAYERS", "3"))')}`,
  { layers: '3 = 3, unless $LAYERS is set @3:58' },
);

reads(
  'the environment without a default is not known',
  `
import os
${configured('int(os.environ["LAYERS"])')}`,
  { model: 'none' },
);

reads(
  'the first value that is something',
  `
given = None
${configured('given or 9')}`,
  { layers: '9 @3:38' },
);

reads('the larger of three', configured('max(2, 8, 4)'), { layers: '8 = max(2, 8, 4) @2:29' });

reads('a name bound inside an expression', configured('(deep := 5)'), { layers: '5 @2:38' });

reads(
  'what a function gives back in a tuple',
  `
import argparse
def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=7)
    args = parser.parse_args()
    return args, "text"
args, text = parse()
${configured('args.layers')}`,
  { layers: '7 @4:55' },
);

// Tables of configurations

reads(
  'one of a table of models, by its key',
  `
import torch.nn as nn
from model import GPT
configs = {
    "tiny": dict(n_layer=2, n_head=2, n_embd=64, vocab_size=100, block_size=32),
    "base": dict(n_layer=12, n_head=12, n_embd=768, vocab_size=50304, block_size=1024),
}
size = "tiny"
model = GPT(configs[size])
`,
  { layers: '2 @4:26', hidden: '64 @4:46', sequence: '32 @4:77' },
);

reads(
  'a copy of a configuration with changes',
  `
import dataclasses
from dataclasses import dataclass
from transformers import GPT2Config
@dataclass
class Sizes:
    layers: int = 6
    heads: int = 6
base = Sizes(layers=3)
small = dataclasses.replace(base, heads=4)
config = GPT2Config(n_layer=small.layers, n_head=small.heads)
`,
  { layers: '3 @8:21', heads: '4 @9:41' },
);

reads(
  'a table of objects',
  `
from dataclasses import dataclass
from transformers import LlamaConfig
@dataclass
class Sizes:
    layers: int
    hidden: int = 512
presets = {"s": Sizes(layers=4), "l": Sizes(layers=40, hidden=5120)}
chosen = presets["l"]
config = LlamaConfig(num_hidden_layers=chosen.layers, hidden_size=chosen.hidden)
`,
  { layers: '40 @7:52', hidden: '5120 @7:63' },
);

// litgpt

reads(
  'litgpt by name',
  `
from litgpt import Config, GPT
model = GPT(Config.from_name("Llama-3.2-1B"))
`,
  { layers: '16 of meta-llama/Llama-3.2-1B @2:30', notes: [/litgpt's layers/] },
);

reads(
  'litgpt with changes',
  `
from litgpt import Config, GPT
config = Config.from_name("pythia-160m", n_layer=3, block_size=256)
model = GPT(config)
`,
  { layers: '3 @2:50', maximumSequence: '256 @2:64' },
);

reads(
  'litgpt by a name nobody knows',
  `
from litgpt.config import Config
config = Config.from_name("nowhere-1B")
`,
  { model: 'none', notes: [/nowhere-1B/] },
);
