import { reads } from './check.ts';

reads(
  'keywords of a transformers class, its defaults and what it derives',
  `
from transformers import GPT2Config
config = GPT2Config(n_layer=24, n_head=16, n_embd=1024)
`,
  {
    name: 'GPT2Config @2:10',
    layers: '24 @2:29',
    heads: '16 @2:40',
    hidden: '1024 @2:51',
    vocabulary: '50257 default transformers GPT2Config.vocab_size',
    feedForward: '4096 = 4 * n_embd',
    headDimension: '64 = n_embd / n_head',
    dropout: '0.1 default transformers GPT2Config.resid_pdrop',
    batch: '1 assumed',
    sequence: '1024 assumed',
    dataType: 'fp32 default torch default dtype',
    attention: 'sdpa default transformers attn_implementation',
    checkpointing: 'none 1 = no checkpoint call in this file',
  },
);

reads(
  'names, arithmetic and a module alias',
  `
import transformers as hf
WIDTH = 64 * 16
N = 36
config = hf.GPT2Config(n_embd=WIDTH, n_layer=N, n_head=16)
model = hf.GPT2LMHeadModel(config)
`,
  { hidden: '1024 = 64 * 16 @2:9', layers: '36 @3:5', family: 'gpt2 default transformers GPT2Config' },
);

reads(
  'a dictionary that is spread into the call, under a name',
  `
from transformers import LlamaConfig, LlamaForCausalLM
sizes = {"hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32}
sizes["num_key_value_heads"] = 8
model = LlamaForCausalLM(LlamaConfig(**sizes, intermediate_size=8192))
`,
  {
    hidden: '2048 @2:25',
    layers: '16 @2:52',
    keyValueHeads: '8 @3:32',
    feedForward: '8192 @4:65',
    tiedEmbeddings: 'false default transformers LlamaConfig.tie_word_embeddings',
    outputBias: 'false default transformers LlamaConfig.attention_bias',
  },
);

reads(
  'changes after the call win, in order, up to where the model is built',
  `
from transformers import GPT2Config, GPT2LMHeadModel
config = GPT2Config(n_layer=12)
config.n_layer = 24
config.num_hidden_layers = 36
config.n_head = 16
config.n_embd = 1280
model = GPT2LMHeadModel(config)
config.n_layer = 2
`,
  { layers: '36 @4:28', heads: '16 @5:17', hidden: '1280 @6:17' },
);

reads(
  'a change under an unknown condition is not claimed either way',
  `
import sys
from transformers import GPT2Config, GPT2LMHeadModel
config = GPT2Config(n_layer=12)
if len(sys.argv) > 1:
    config.n_layer = 24
model = GPT2LMHeadModel(config)
`,
  { layers: '12 = 12, unless line 5 changes it @3:29' },
);

reads(
  'a change under a known condition counts',
  `
from transformers import GPT2Config, GPT2LMHeadModel
BIG = True
config = GPT2Config(n_layer=12)
if BIG:
    config.n_layer = 48
else:
    config.n_layer = 2
model = GPT2LMHeadModel(config)
`,
  { layers: '48 @5:22' },
);

reads(
  'a size that cannot be read leaves the model unknown',
  `
from transformers import GPT2Config
def build(n):
    return GPT2Config(n_layer=n, n_head=16)
`,
  { model: 'none', notes: [/n_layer is set on line 3 .* could not be read/] },
);

reads(
  'a vocabulary that cannot be read is assumed',
  `
from transformers import GPT2Config
config = GPT2Config(vocab_size=len(tokenizer), n_layer=4, n_head=8, n_embd=512)
`,
  { layers: '4 @2:56', vocabulary: '50257 assumed', notes: [/vocab_size/] },
);

reads(
  'impossible sizes are not claimed',
  `
from transformers import GPT2Config
config = GPT2Config(n_layer=12, n_head=7, n_embd=768)
`,
  { model: 'none', notes: [/768 is not divisible by 7 heads/] },
);

reads(
  'text for a number, a negative one and one too large',
  `
from transformers import LlamaConfig
a = LlamaConfig(num_hidden_layers="many")
`,
  { model: 'none', notes: [/num_hidden_layers on line 2 is "many"/] },
);

reads(
  'an unknown spread makes defaults assumptions',
  `
from transformers import GPT2Config
config = GPT2Config(n_layer=24, **overrides)
`,
  { layers: '24 @2:29', hidden: '768 assumed', notes: [/line 2 may set more of GPT2Config/] },
);

reads(
  'a family without an account is named, not guessed',
  `
from transformers import MambaConfig, MambaModel
model = MambaModel(MambaConfig(hidden_size=256))
`,
  { model: 'none', notes: [/no PyTorch account for transformers MambaConfig/] },
);

reads(
  'a local class of the same name is not transformers',
  `
class GPT2Config:
    def __init__(self, n_layer=12):
        self.n_layer = n_layer
config = GPT2Config(n_layer=24)
`,
  'nothing',
);

reads(
  'an import of the same name from elsewhere is not transformers',
  `
from my_models import GPT2Config
config = GPT2Config(n_layer=24, n_head=2)
`,
  'nothing',
);

reads(
  'adapters, quantisation and generation have configurations too',
  `
from peft import LoraConfig
from transformers import BitsAndBytesConfig, GenerationConfig
a = LoraConfig(r=16, lora_alpha=32)
b = BitsAndBytesConfig(load_in_4bit=True)
c = GenerationConfig(max_length=20)
`,
  'nothing',
);

reads(
  "attention in the configuration, and the file's other model in a note",
  `
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig
spare = LlamaConfig(num_hidden_layers=2)
config = GPT2Config(n_layer=6, attn_implementation="eager")
model = GPT2LMHeadModel(config=config)
`,
  { name: 'GPT2Config @3:10', attention: 'eager @3:52', notes: [/also in this file: LlamaConfig on line 2/] },
);

reads(
  'the configuration of a from_config call, with its keywords',
  `
import torch
from transformers import AutoModelForCausalLM, Qwen2Config
config = Qwen2Config(num_hidden_layers=2, hidden_size=256, num_attention_heads=4, num_key_value_heads=2)
model = AutoModelForCausalLM.from_config(config, attn_implementation="flash_attention_2", torch_dtype=torch.bfloat16)
`,
  {
    layers: '2 @3:40',
    keyValueHeads: '2 @3:103',
    bias: 'true default transformers Qwen2Config',
    attention: 'flash @4:70',
    dataType: 'bf16 @4:103',
    autocast: 'false = no autocast in this file',
  },
);

reads(
  'attributes of a settings class and of a namespace',
  `
from types import SimpleNamespace
from transformers import GPT2Config
class Sizes:
    layers = 8
    width: int = 512
other = SimpleNamespace(heads=4)
config = GPT2Config(n_layer=Sizes.layers, n_embd=Sizes.width, n_head=other.heads)
`,
  { layers: '8 @4:14', hidden: '512 @5:18', heads: '4 @6:31' },
);

reads(
  'a table of sizes looked up by a known key',
  `
from transformers import GPT2Config
sizes = {"small": dict(n_layer=4, n_head=4, n_embd=256), "base": dict(n_layer=12)}
config = GPT2Config(**sizes["small"])
`,
  { layers: '4 @2:32', hidden: '256 @2:52' },
);

reads(
  'names in a circle end',
  `
from transformers import GPT2Config
a = b
b = a
config = GPT2Config(n_layer=a, **config)
config = config
`,
  { model: 'none' },
);

reads(
  'half-typed code: what stands before it still counts',
  `
from transformers import GPT2Config
config = GPT2Config(n_layer=24)

def train(model:
    for batch in
`,
  { layers: '24 @2:29' },
);

reads(
  'tabs and carriage returns',
  'from transformers import GPT2Config\r\ndef build():\r\n\treturn GPT2Config(\r\n\t\tn_layer=24,\r\n\t\tn_head = 16, n_embd=1_024)\r\n',
  { layers: '24 @4:11', heads: '16 @5:12', hidden: '1024 @5:23' },
);
