import { reads } from './check.ts';

// Scripts in the manner of timm's own and of torchvision's references

const timmScript = (more: string) => `
import argparse, torch
from timm.models import create_model
from timm.optim import create_optimizer_v2
parser = argparse.ArgumentParser()
group = parser.add_argument_group('Model parameters')
group.add_argument('--model', default='vit_small_patch16_224', type=str)
group.add_argument('--num-classes', type=int, default=None, metavar='N')
group.add_argument('--img-size', type=int, default=None, metavar='N')
group.add_argument('-b', '--batch-size', type=int, default=128, metavar='N')
group.add_argument('--grad-checkpointing', action='store_true', default=False)
parser.add_argument('--drop-path', type=float, default=None)
args = parser.parse_args()
model = create_model(args.model, num_classes=args.num_classes, img_size=args.img_size, drop_path_rate=args.drop_path)
${more}
`;

reads('timm: options that nobody gave leave the model as it is', timmScript(''), {
  name: 'vit_small_patch16_224 @6:39',
  layers: '12 of vit_small_patch16_224 @6:39',
  img_size: '224 of vit_small_patch16_224 @6:39',
  num_classes: '1000 default timm VisionTransformer.num_classes',
  batch: '128 @9:60',
  checkpointing: 'none 1 = no checkpoint call in this file',
  notes: [/defaults of command-line options are taken: --model, --batch-size/],
});

reads(
  'timm: a switch whose option nobody gave',
  timmScript('if args.grad_checkpointing:\n    model.set_grad_checkpointing(enable=True)'),
  {
    checkpointing:
      'none 1 = set_grad_checkpointing() on line 15 does not run: args.grad_checkpointing with False @10:73',
  },
);

reads(
  'timm: a switch with nothing around it',
  timmScript('model.set_grad_checkpointing()\nloader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True)'),
  { checkpointing: 'full 1 set_grad_checkpointing @14:1', batch: '64 @15:55' },
);

reads(
  'timm: options with values',
  `
import argparse
import timm
parser = argparse.ArgumentParser()
parser.add_argument('--batch-size', '-b', default=256, type=int)
parser.add_argument('--img-size', default=384, type=int)
parser.add_argument('--nb_classes', default=100, type=int)
parser.add_argument('--drop-path', type=float, default=0.1)
args = parser.parse_args()
model = timm.create_model('vit_base_patch16_224', img_size=args.img_size, num_classes=args.nb_classes,
                          drop_path_rate=args.drop_path)
`,
  {
    img_size: '384 @5:43',
    num_classes: '100 @6:45',
    drop_path_rate: '0.1 @7:56',
    batch: '256 @4:51',
    layers: '12 of vit_base_patch16_224 @9:27',
  },
);

reads(
  'timm: a class of settings',
  `
import timm
class CFG:
    model_name = "convnext_tiny"
    image_size = 288
    train_batch_size = 24
    target_size = 5
class Net:
    def __init__(self):
        self.model = timm.create_model(CFG.model_name, pretrained=True, num_classes=CFG.target_size)
`,
  {
    name: 'convnext_tiny @3:18',
    num_classes: '5 @6:19',
    img_size: '288 @4:18',
    batch: '24 @5:24',
  },
);

reads(
  'torchvision: the architecture from an option, by its table',
  `
import argparse
import torch
import torchvision.models as models
import torchvision.transforms as transforms
parser = argparse.ArgumentParser(description='Training')
parser.add_argument('-a', '--arch', metavar='ARCH', default='resnet18')
parser.add_argument('-b', '--batch-size', default=256, type=int, metavar='N')
args = parser.parse_args()
model = models.__dict__[args.arch]()
train_dataset = datasets.ImageFolder(traindir, transforms.Compose([transforms.RandomResizedCrop(192)]))
train_loader = torch.utils.data.DataLoader(train_dataset, batch_size=args.batch_size, shuffle=True)
`,
  {
    name: 'resnet18 @6:61',
    batch: '256 @7:51',
    image_size: '192 @10:97',
    layers: '8 = sum(layers)',
  },
);

reads(
  'torchvision: the references, with classes that only the data knows',
  `
import argparse
import torch, torchvision
parser = argparse.ArgumentParser()
parser.add_argument("--model", default="resnet50", type=str)
parser.add_argument("-b", "--batch-size", default=32, type=int)
parser.add_argument("--train-crop-size", default=176, type=int)
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
num_classes = len(dataset.classes)
data_loader = torch.utils.data.DataLoader(dataset, batch_size=args.batch_size, sampler=sampler)
model = torchvision.models.get_model(args.model, num_classes=num_classes)
def train():
    with torch.cuda.amp.autocast(enabled=args.amp):
        loss = model(image)
    loss.backward()
`,
  {
    name: 'resnet50 @4:40',
    batch: '32 @5:51',
    image_size: '176 @6:50',
    num_classes: '1000 assumed',
    dataType: 'fp32 default torch default dtype',
    notes: [/num_classes is set on line 11/],
  },
);

reads(
  'a name that only the caller knows is no model',
  `
import timm, torch
def run(name, loader):
    model = timm.create_model(name, num_classes=10)
    optimizer = torch.optim.AdamW(model.parameters())
    for images, labels in torch.utils.data.DataLoader(data, batch_size=48, shuffle=True):
        model(images).sum().backward()
`,
  {
    name: undefined,
    model: 'none',
    batch: '48 @5:72',
    notes: [/^the model that line 3 makes, name, could not be read$/],
  },
);
