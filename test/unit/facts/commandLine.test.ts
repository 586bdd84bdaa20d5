import { reads } from './check.ts';

const parsed = (options: string): string => `import argparse
from transformers import GPT2Config
parser = argparse.ArgumentParser()
${options}
args = parser.parse_args()
`;

reads(
  'dest, and a default that is a text',
  `
${parsed('parser.add_argument("--depth", dest="layers", type=int, default="5")')}config = GPT2Config(n_layer=args.layers)
`,
  { layers: '5 @4:65', notes: [/--depth/] },
);

reads(
  'a switch with its opposite',
  `
${parsed('parser.add_argument("--deep", action=argparse.BooleanOptionalAction, default=True)')}config = GPT2Config(n_layer=24 if args.deep else 2)
`,
  { layers: '24 @6:29', notes: [/--deep/] },
);

reads(
  'an option without a default is None',
  `
${parsed('parser.add_argument("--layers", type=int)')}config = GPT2Config(n_layer=args.layers or 7)
`,
  { layers: '7 @6:44' },
);

reads(
  'an option that has to be given is not known',
  `
${parsed('parser.add_argument("--layers", type=int, required=True)')}config = GPT2Config(n_layer=args.layers)
`,
  { model: 'none', notes: [/n_layer is set on line 6/] },
);

reads(
  'a positional argument is not known',
  `
${parsed('parser.add_argument("layers", type=int)')}config = GPT2Config(n_layer=args.layers)
`,
  { model: 'none' },
);

reads(
  'arguments that are partly known',
  `
import argparse
from transformers import GPT2Config
parser = argparse.ArgumentParser()
parser.add_argument("--layers", type=int, default=8)
args, rest = parser.parse_known_args()
config = GPT2Config(n_layer=args.layers)
`,
  { layers: '8 @4:51' },
);

reads(
  'a parser with parents',
  `
import argparse
from transformers import GPT2Config
def base():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--layers", type=int, default=9)
    return parser
parser = argparse.ArgumentParser(parents=[base()])
args = parser.parse_args()
config = GPT2Config(n_layer=args.layers)
`,
  { layers: '9 @5:55' },
);

reads(
  'the same parser asked in two ways',
  `
import argparse
from transformers import GPT2Config
def parse_args(given=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=11)
    if given is not None:
        args = parser.parse_args(given)
    else:
        args = parser.parse_args()
    return args
args = parse_args()
config = GPT2Config(n_layer=args.layers)
`,
  { layers: '11 @5:55' },
);

reads(
  'dataclasses of a parser, with a factory',
  `
from dataclasses import dataclass, field
from transformers import GPT2Config, HfArgumentParser
@dataclass
class Sizes:
    layers: int = field(default=4)
    names: list = field(default_factory=lambda: ["a"])
sizes = HfArgumentParser(Sizes).parse_args_into_dataclasses()[0]
config = GPT2Config(n_layer=sizes.layers)
`,
  { layers: '4 @5:33', notes: [/--layers/] },
);

reads(
  'the same classes from a file or from the command line',
  `
import sys
from dataclasses import dataclass, field
from transformers import GPT2Config, HfArgumentParser, TrainingArguments
@dataclass
class Sizes:
    layers: int = field(default=4)
parser = HfArgumentParser((Sizes, TrainingArguments))
if sys.argv[1].endswith(".json"):
    sizes, run = parser.parse_json_file(sys.argv[1])
else:
    sizes, run = parser.parse_args_into_dataclasses()
run.per_device_train_batch_size = 3
config = GPT2Config(n_layer=sizes.layers)
`,
  { layers: '4 @6:33', batch: '3 @12:35' },
);

reads(
  'tyro',
  `
import tyro
from dataclasses import dataclass
from transformers import GPT2Config
@dataclass
class Args:
    layers: int = 13
    batch_size: int = 6
args = tyro.cli(Args)
config = GPT2Config(n_layer=args.layers)
`,
  { layers: '13 @6:19', batch: '6 @7:23', notes: [/--layers/] },
);

reads(
  'what scripts hand on by option: precision and optimizer',
  `
import argparse, timm
from timm.optim import create_optimizer_v2
parser = argparse.ArgumentParser()
parser.add_argument("--opt", default="sgd")
parser.add_argument("--momentum", type=float, default=0.9)
parser.add_argument("--precision", default="amp_bf16")
parser = deepspeed.add_config_arguments(parser)
args = parser.parse_args()
model = timm.create_model("vit_small_patch16_224")
optimizer = create_optimizer_v2(model, opt=args.opt)
`,
  { optimizer: 'sgd-momentum @4:38', dataType: 'bf16 @6:44', autocast: 'true @6:44' },
);

reads(
  'options that fire makes of parameters nobody reads here',
  `
import fire
from transformers import GPT2Config, GPT2LMHeadModel
def train(max_seq_length: int = 320, batch_size: int = 5):
    model = GPT2LMHeadModel(GPT2Config())
    run(model, max_seq_length, batch_size)
fire.Fire(train)
`,
  { batch: '5 @3:56', sequence: '320 @3:33', notes: [/--batch_size, --max_seq_length/] },
);
