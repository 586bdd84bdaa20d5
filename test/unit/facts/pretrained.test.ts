import { reads } from './check.ts';

reads(
  'a model of the registry, with data type and attention',
  `
import torch
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained(
    "meta-llama/Llama-3.2-1B", torch_dtype=torch.bfloat16, attn_implementation="flash_attention_2"
)
`,
  {
    name: 'meta-llama/Llama-3.2-1B @4:5',
    layers: '16 of meta-llama/Llama-3.2-1B @4:5',
    keyValueHeads: '8 of meta-llama/Llama-3.2-1B @4:5',
    dataType: 'bf16 @4:44',
    autocast: 'false = no autocast in this file',
    attention: 'flash @4:80',
    sequence: '1024 assumed',
  },
);

reads(
  'a bare name, bound to a constant; the older library loads fp32',
  `
from transformers import GPT2LMHeadModel
NAME = "gpt2-medium"
model = GPT2LMHeadModel.from_pretrained(NAME)
`,
  {
    layers: '24 of openai-community/gpt2-medium @2:8',
    dataType: 'fp32 default transformers 4 from_pretrained dtype',
    dropout: '0.1 of openai-community/gpt2-medium @2:8',
    notes: [/transformers 5/],
  },
);

reads(
  'the default of a command-line option',
  `
import argparse
from transformers import AutoModelForCausalLM
parser = argparse.ArgumentParser()
parser.add_argument("--model_name_or_path", type=str, default="Qwen/Qwen2.5-0.5B")
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained(args.model_name_or_path, dtype="bfloat16")
`,
  {
    layers: '24 of Qwen/Qwen2.5-0.5B @4:63',
    dataType: 'bf16 @6:77',
    notes: [/defaults of command-line options are taken: --model_name_or_path/],
  },
);

reads(
  'the default of an argument class',
  `
from dataclasses import dataclass, field
from transformers import AutoModelForCausalLM, HfArgumentParser, TrainingArguments
@dataclass
class ModelArguments:
    model_name_or_path: str = field(default="gpt2", metadata={"help": "which"})
@dataclass
class MyTrainingArguments(TrainingArguments):
    per_device_train_batch_size: int = field(default=4)
    model_max_length: int = 512
parser = HfArgumentParser((ModelArguments, MyTrainingArguments))
model_args, training_args = parser.parse_args_into_dataclasses()
training_args.gradient_checkpointing = True
model = AutoModelForCausalLM.from_pretrained(model_args.model_name_or_path)
`,
  {
    layers: '12 of openai-community/gpt2 @5:45',
    batch: '4 @8:54',
    sequence: '512 @9:29',
    checkpointing: 'full 1 gradient_checkpointing @12:40',
    notes: [/MyTrainingArguments is filled from the command line/],
  },
);

reads(
  'AutoConfig with overrides, in the call and after it',
  `
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained("gpt2")
config = AutoConfig.from_pretrained("gpt2", n_layer=6, vocab_size=len(tokenizer))
config.n_positions = 2048
model = AutoModelForCausalLM.from_config(config)
`,
  {
    layers: '6 @3:53',
    hidden: '768 of openai-community/gpt2 @3:37',
    maximumSequence: '2048 @4:22',
    vocabulary: '50257 assumed',
    headDimension: '64 = n_embd / n_head',
  },
);

reads(
  'a configuration handed to from_pretrained beats the name',
  `
from transformers import AutoModelForCausalLM, AutoConfig
config = AutoConfig.from_pretrained("gpt2", attn_pdrop=0.0, resid_pdrop=0.0, embd_pdrop=0.0)
model = AutoModelForCausalLM.from_pretrained("gpt2", config=config, attn_implementation="eager")
`,
  { layers: '12 of openai-community/gpt2 @2:37', dropout: '0 @2:73', attention: 'eager @3:89' },
);

reads(
  'an unknown name is said, and no model claimed',
  `
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("./my-checkpoint")
`,
  { model: 'none', notes: [/\.\/my-checkpoint \(line 2\) is not among the known models/] },
);

reads(
  'a known model without an account is said',
  `
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("microsoft/deberta-v3-base")
`,
  { model: 'known', notes: [/no PyTorch account for/] },
);

reads(
  'a reference model does not stand for the trained one',
  `
from transformers import AutoModelForCausalLM
ref_model = AutoModelForCausalLM.from_pretrained("gpt2-xl")
model = AutoModelForCausalLM.from_pretrained("gpt2")
`,
  { layers: '12 of openai-community/gpt2 @3:46', notes: [/also in this file: gpt2-xl on line 2/] },
);

reads(
  'a tokenizer alone is no model',
  `
from transformers import AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained("gpt2")
`,
  'nothing',
);

reads(
  'unsloth',
  `
from unsloth import FastLanguageModel
max_seq_length = 4096
model, tokenizer = FastLanguageModel.from_pretrained(
    model_name="meta-llama/Llama-3.2-1B", max_seq_length=max_seq_length, dtype=None, load_in_4bit=True
)
model = FastLanguageModel.get_peft_model(model, r=16, use_gradient_checkpointing="unsloth")
`,
  {
    layers: '16 of meta-llama/Llama-3.2-1B @4:16',
    sequence: '4096 @2:18',
    checkpointing: 'full 1 reentrant true unsloth @6:82',
    quantisation: 'nf4 @4:99',
  },
);

reads(
  'options that fire makes of parameters',
  `
import fire
from transformers import AutoModelForCausalLM, TrainingArguments
def train(base_model: str = "huggyllama/llama-7b", micro_batch_size: int = 4):
    model = AutoModelForCausalLM.from_pretrained(base_model)
    args = TrainingArguments("out", per_device_train_batch_size=micro_batch_size, fp16=True)
fire.Fire(train)
`,
  {
    layers: '32 of huggyllama/llama-7b @3:29',
    batch: '4 @3:76',
    dataType: 'fp16 @5:88',
    notes: [/--base_model, --micro_batch_size/],
  },
);

reads(
  'a parameter of another function may be anything',
  `
from transformers import AutoModelForCausalLM
def load(name="gpt2"):
    return AutoModelForCausalLM.from_pretrained(name)
`,
  { model: 'none', notes: [/could not be read/] },
);

reads(
  'a table of configurations, looked up by the default of an option',
  `
import argparse
from transformers import LlamaConfig, LlamaForCausalLM
CONFIGS = {
    "tiny": LlamaConfig(num_hidden_layers=2, hidden_size=128, num_attention_heads=4),
    "7b": LlamaConfig(max_position_embeddings=4096),
}
parser = argparse.ArgumentParser()
parser.add_argument("-c", "--config", default="7b")
args = parser.parse_args()
model = LlamaForCausalLM(CONFIGS[args.config])
`,
  {
    layers: '32 default transformers LlamaConfig.num_hidden_layers',
    maximumSequence: '4096 @5:47',
    notes: [/also in this file: LlamaConfig on line 4/],
  },
);

reads(
  'a configuration that a function gives back',
  `
from transformers import GPT2Config, GPT2LMHeadModel
spare = GPT2Config(n_layer=1)
def configured():
    return GPT2Config(n_layer=5)
model = GPT2LMHeadModel(configured())
`,
  { layers: '5 @4:31' },
);

reads(
  'what a trainer is told for loading the model',
  `
from trl import SFTConfig, SFTTrainer
args = SFTConfig(model_init_kwargs={"dtype": "bfloat16", "attn_implementation": "flash_attention_2"})
SFTTrainer("gpt2", args=args)
`,
  {
    attention: 'flash @2:81',
    dataType: 'bf16 default trl SFTConfig.bf16 (since 0.20)',
    autocast: 'false = the weights are bf16 already',
  },
);

reads(
  'precision that asks the GPU',
  `
import torch
from transformers import AutoModelForCausalLM, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("gpt2")
args = TrainingArguments("out", fp16=not torch.cuda.is_bf16_supported(), bf16=torch.cuda.is_bf16_supported())
`,
  { dataType: 'bf16 = true, on a GPU with is_bf16_supported() @4:79' },
);

reads(
  'an id that is empty until somebody gives one',
  `from transformers import AutoModelForCausalLM
def train(base_model: str = ""):
    return AutoModelForCausalLM.from_pretrained(base_model)
`,
  { model: 'none', notes: [/base_model, could not be read/] },
);

reads(
  'a class with labels where a language model has its vocabulary',
  `
from transformers import AutoModelForSequenceClassification
model = AutoModelForSequenceClassification.from_pretrained("bert-base-cased", num_labels=5)
`,
  {
    head: 'sequence-classification = AutoModelForSequenceClassification @2:9',
    num_labels: '5 @2:90',
  },
);

reads(
  'the bare model of a class of its own, built from a configuration',
  `
from transformers import BertConfig, BertModel
model = BertModel(BertConfig(num_hidden_layers=4))
`,
  { layers: '4 @2:48', head: 'none = BertModel @2:9' },
);

reads(
  'a head that no account knows',
  `
from transformers import AutoModelForMultipleChoice
model = AutoModelForMultipleChoice.from_pretrained("roberta-base")
`,
  { layers: '12 of FacebookAI/roberta-base @2:52', notes: [/^AutoModelForMultipleChoice has a head of its own/] },
);

reads(
  'a head that the family has no account of',
  `
from transformers import LlamaForSequenceClassification
model = LlamaForSequenceClassification.from_pretrained("meta-llama/Llama-2-7b-hf")
`,
  {
    layers: '32 of meta-llama/Llama-2-7b-hf @2:56',
    notes: [/^LlamaForSequenceClassification has no logits over the vocabulary; the account counts them$/],
  },
);

for (const name of ['GPT2LMHeadModel', 'GPT2DoubleHeadsModel'])
  reads(
    `a head in the middle of a class's name: ${name}`,
    `
from transformers import ${name}
model = ${name}.from_pretrained("openai-community/gpt2")
`,
    { layers: `12 of openai-community/gpt2 @2:${26 + name.length}`, notes: [] },
  );
