import { tells } from './check.ts';

const train = `
batch_size = 12
block_size = 1024
n_layer = 12
n_head = 12
n_embd = 768
dropout = 0.0
dtype = 'bfloat16'
exec(open('configurator.py').read())
from transformers import GPT2Config, GPT2LMHeadModel
model = GPT2LMHeadModel(GPT2Config(n_layer=n_layer, n_head=n_head, n_embd=n_embd, n_positions=block_size))
`;

tells(
  'settings that a script runs over its own',
  {
    'config/small.py':
      "# a small one\nbatch_size = 64\nblock_size = 256\nn_layer = 6\nn_head = 6\nn_embd = 384\ngradient_accumulation_steps = 5 * 8\ndtype = 'float16'\n",
    'train.py': train,
  },
  {
    title: 'small.py over train.py',
    batch: '64 @2:14',
    sequence: '256 @3:14',
    layers: '6 @4:11',
    hidden: '384 @6:10',
    feedForward: '1536 = 4 * hidden size @6:10',
    gradientAccumulation: '40 = 5 * 8 @7:31',
    dataType: 'fp16 @8:9',
    lost: { layers: [12], batch: [12] },
  },
);
tells(
  'published weights instead of new ones',
  {
    'config/finetune.py': "init_from = 'gpt2-xl'\nbatch_size = 1\n",
    'train.py': train,
  },
  { name: 'gpt2-xl @1:13', layers: '48 of openai-community/gpt2-xl @1:13', batch: '1 @2:14' },
);
tells(
  'the same on the command line',
  {
    'run.sh': 'python train.py config/small.py --batch_size=32\n',
    'config/small.py': 'batch_size = 64\nn_layer = 6\n',
    'train.py': train,
  },
  {
    batch: '32 @1:46',
    layers: '6 @2:11 in config/small.py',
    hidden: '768 @5:10 in train.py',
    lost: { batch: [64, 12] },
  },
);
tells(
  'a file of assignments without such a script is no run',
  { 'config/small.py': 'batch_size = 64\nn_layer = 6\n' },
  'nothing',
);

tells(
  'xtuner',
  {
    'qlora.py': `
from torch.optim import AdamW
from xtuner.model import SupervisedFinetune
pretrained_model_name_or_path = 'Qwen/Qwen1.5-7B'
batch_size = 1
max_length = 2048
model = dict(
    type=SupervisedFinetune,
    llm=dict(pretrained_model_name_or_path=pretrained_model_name_or_path, quantization_config=dict(load_in_4bit=True)),
    lora=dict(type=LoraConfig, r=64, lora_dropout=0.1))
train_dataloader = dict(batch_size=batch_size, num_workers=0)
optim_wrapper = dict(type=AmpOptimWrapper, optimizer=dict(type=AdamW, lr=2e-4), accumulative_counts=16, dtype='float16')
`,
  },
  {
    name: 'Qwen/Qwen1.5-7B @3:33',
    layers: '32 of Qwen/Qwen1.5-7B @3:33',
    batch: '1 @4:14',
    sequence: '2048 @5:14',
    dataType: 'fp16 @11:111',
    gradientAccumulation: '16 @11:101',
    optimizer: 'adamw @11:64',
    quantisation: 'nf4 @8:113',
  },
);
tells(
  'mmengine with a strategy that wraps layers',
  {
    'flexible.py':
      "model = dict(type='MyModel', backbone=dict(type='VisionTransformer', arch='b'))\ntrain_dataloader = dict(batch_size=64)\nstrategy = dict(type='FSDPStrategy', activation_checkpointing=dict(type='CheckpointWrapper'))\n",
  },
  { name: 'VisionTransformer b @1:49', batch: '64 @2:36', checkpointing: 'full 1 CheckpointWrapper @3:73' },
);
tells(
  'a backbone that checkpoints itself',
  {
    'swin.py':
      "model = dict(type='ImageClassifier', backbone=dict(type='SwinTransformer', with_cp=True))\ndata = dict(samples_per_gpu=32)\n",
  },
  { batch: '32 @2:29', checkpointing: 'full 1 with_cp @1:84' },
);

tells(
  'Hydra: groups below their key, the file’s own values over them',
  {
    'train.py':
      '\nimport hydra\n@hydra.main(version_base=None, config_path="conf", config_name="train")\ndef main(cfg):\n    model = build(cfg.model)\n',
    'conf/train.yaml':
      'defaults:\n  - model: small\n  - _self_\ntrainer:\n  batch_size: 8\n  precision: bf16-mixed\ndata:\n  block_size: 512\nmodel:\n  n_head: 8\n',
    'conf/model/small.yaml': 'n_layer: 6\nn_head: 6\nn_embd: 384\n',
  },
  {
    title: 'train.py: Hydra',
    layers: '6 @1:10 in conf/model/small.yaml',
    heads: '8 @10:11 in conf/train.yaml',
    batch: '8 @5:15 in conf/train.yaml',
    sequence: '512 @8:15 in conf/train.yaml',
    dataType: 'bf16 @6:14 in conf/train.yaml',
    autocast: 'true @6:14 in conf/train.yaml',
  },
);
tells(
  'Hydra: an id of the hub, evaluation passed over',
  {
    'train.py': '\nimport hydra\n@hydra.main(config_path="../conf", config_name="a.yaml")\ndef main(cfg): ...\n',
    '../conf/none.yaml': '',
    'conf/a.yaml':
      'model:\n  pretrained: gpt2\neval:\n  batch_size: 64\ntraining:\n  micro_batch_size: 2\n  gradient_checkpointing: true\n',
  },
  'nothing',
);
tells(
  'Hydra: settings that are not there',
  {
    'train.py': '\nimport hydra\n@hydra.main(config_path="conf", config_name="gone")\ndef main(cfg): ...\n',
  },
  'nothing',
);
tells(
  'Hydra: groups that name each other',
  {
    'train.py': '\nimport hydra\n@hydra.main(config_path="conf", config_name="a")\ndef main(cfg): ...\n',
    'conf/a.yaml':
      'defaults:\n  - b\nmodel:\n  pretrained: gpt2\neval:\n  batch_size: 64\ntraining:\n  micro_batch_size: 2\n',
    'conf/b.yaml': 'defaults:\n  - a\ntraining:\n  gradient_checkpointing: true\n',
  },
  {
    layers: '12 of openai-community/gpt2 @4:15 in conf/a.yaml',
    batch: '2 @8:21 in conf/a.yaml',
    checkpointing: 'full 1 @4:27 in conf/b.yaml',
  },
);
tells(
  "xtuner with transformers' own trainer",
  {
    'hf.py': `
from peft import LoraConfig
from transformers import AutoModelForCausalLM, TrainingArguments, BitsAndBytesConfig
model = dict(
    type=AutoModelForCausalLM.from_pretrained,
    pretrained_model_name_or_path='Qwen/Qwen1.5-7B',
    quantization_config=dict(type=BitsAndBytesConfig, load_in_4bit=True))
lora = dict(type=LoraConfig, r=32, lora_dropout=0.1, target_modules=['up_proj', 'down_proj'])
training_args = dict(type=TrainingArguments, per_device_train_batch_size=3, fp16=True)
`,
  },
  {
    layers: '32 of Qwen/Qwen1.5-7B @5:35',
    batch: '3 @8:74',
    dataType: 'fp16 @8:82',
    adapters: '32 up_proj,down_proj 0.1 fp32 @7:32',
    quantisation: 'nf4 @6:68',
  },
);
