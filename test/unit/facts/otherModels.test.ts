import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, reads } from './check.ts';

// torch's own transformers

reads(
  'an encoder of layers',
  `
import torch.nn as nn
layer = nn.TransformerEncoderLayer(d_model=256, nhead=4, dim_feedforward=512, batch_first=True)
encoder = nn.TransformerEncoder(layer, num_layers=3)
`,
  {
    name: 'nn.TransformerEncoder @3:11',
    layers: '3 @3:51',
    hidden: '256 @2:44',
    heads: '4 @2:55',
    feedForward: '512 @2:74',
    dropout: '0.1 default torch TransformerEncoderLayer.dropout',
    batch_first: 'true @2:91',
  },
);

reads(
  'by position, in one expression',
  `
from torch import nn
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(128, 2, 256, 0.0), 5)
`,
  { layers: '5 @2:79', hidden: '128 @2:60', dropout: '0 @2:73' },
);

reads(
  'an encoder and a decoder in one',
  `
import torch
model = torch.nn.Transformer(nhead=16, num_encoder_layers=12)
`,
  { layers: '12 @2:59', heads: '16 @2:36', hidden: '512 default torch Transformer.d_model' },
);

reads(
  'a width that only a caller knows',
  `
import torch.nn as nn
class Model(nn.Module):
    def __init__(self, width):
        self.layer = nn.TransformerEncoderLayer(width, 4)
`,
  { model: 'none', notes: [/d_model is set on line 4/] },
);

// Libraries whose models have no account

function named(title: string, python: string, name: string): void {
  test(title, () => {
    const facts = factsOf(python);
    assert.equal(facts?.model, undefined);
    assert.equal(facts?.namedModel?.value, name);
    assert.ok(facts?.notes.some((note) => note.includes(name)));
  });
}

named('timm without an account', 'import timm\nmodel = timm.create_model("tresnet_l")\n', 'tresnet_l');
named('torchvision without an account', 'import torchvision\nmodel = torchvision.models.vgg16()\n', 'vgg16');
named(
  'diffusers',
  'from diffusers import UNet2DConditionModel\nunet = UNet2DConditionModel.from_pretrained(path(), subfolder="unet")\n',
  'UNet2DConditionModel',
);
named(
  'a model of the hub that nobody has counted',
  'from transformers import AutoModel\nmodel = AutoModel.from_pretrained("someone/something")\n',
  'someone/something',
);
named(
  'a class of transformers without an account',
  'from transformers import MambaConfig\nconfig = MambaConfig()\n',
  'MambaConfig',
);

test('the sizes of a registered model without an account are known, and its range can be shown', () => {
  const facts = factsOf(
    'from transformers import AutoModelForCausalLM\nmodel = AutoModelForCausalLM.from_pretrained("moonshotai/Kimi-K2-Base")\n',
  );
  assert.equal(facts?.model?.layers.origin.kind, 'registry');
  assert.equal(facts?.model?.family.value, 'kimi_k2');
  assert.equal(facts?.model?.activation.origin.kind, 'assumed');
});

// Loops without a model that is known

reads(
  'a loop of its own tells what it is fed',
  `
import argparse, torch
from nets import Net
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
args = parser.parse_args()
loader = torch.utils.data.DataLoader(data, batch_size=args.batch_size, shuffle=True)
optimizer = torch.optim.SGD(Net().parameters(), lr=0.1, momentum=0.9)
for x, y in loader:
    loss(x, y).backward()
`,
  { model: 'none', batch: '64 @4:55', optimizer: 'sgd-momentum @7:13' },
);

reads(
  'tokens that are made on the spot beat a name beside them',
  `
import torch
from transformers import GPT2Config, GPT2LMHeadModel
model = GPT2LMHeadModel(GPT2Config())
batch_size = 2
x = torch.randint(0, 50257, (8, 256))
`,
  { batch: '8 @5:30', sequence: '256 @5:33' },
);

reads(
  'autocast of an evaluation is not how the model trains',
  `
import torch
from transformers import GPT2Config, GPT2LMHeadModel
model = GPT2LMHeadModel(GPT2Config())
def evaluate(model):
    with torch.autocast("cuda", dtype=torch.float16):
        pass
`,
  { dataType: 'fp32 default torch default dtype' },
);

reads(
  'prompts and answers of reinforcement learning',
  `
from trl import GRPOConfig
args = GRPOConfig("out", max_prompt_length=512, max_completion_length=1024)
`,
  { sequence: '1536 = max_prompt_length 512 + max_completion_length 1024 @2:71' },
);

// models of images

reads(
  'timm by name, with what the call gives beside it',
  'import timm\nmodel = timm.create_model("vit_base_patch16_224", img_size=384, num_classes=10)\n',
  {
    name: 'vit_base_patch16_224 @2:27',
    family: 'timm-vit of vit_base_patch16_224 @2:27',
    layers: '12 of vit_base_patch16_224 @2:27',
    hidden: '768 of vit_base_patch16_224 @2:27',
    img_size: '384 @2:60',
    num_classes: '10 @2:77',
    dataType: 'fp32 default torch default dtype',
    attention: 'sdpa default timm attention',
  },
);

reads(
  'timm with weights whose classes are only known where the call gives them',
  'import timm\nmodel = timm.create_model("swin_tiny_patch4_window7_224.ms_in22k", num_classes=5)\n',
  { family: 'swin of swin_tiny_patch4_window7_224.ms_in22k @2:27', num_classes: '5 @2:80' },
);

reads('torchvision by its function', 'import torchvision\nmodel = torchvision.models.resnet50(num_classes=10)\n', {
  name: 'resnet50 @2:9',
  family: 'resnet of resnet50 @2:9',
  layers: '16 = sum(layers)',
  'settings.layers': '3 4 6 3 of resnet50 @2:9',
  num_classes: '10 @2:49',
});

reads('torchvision by get_model', 'import torchvision\nmodel = torchvision.models.get_model("resnet18")\n', {
  block: 'BasicBlock of resnet18 @2:38',
});
