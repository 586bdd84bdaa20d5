import type { Reports } from './report.ts';

/** DistributedDataParallel and what wraps it. */
export const distributed: Reports = {
  R22: {
    shape: `
from transformers import TrainingArguments

args = TrainingArguments(
    "out",
    gradient_checkpointing=True,
    gradient_checkpointing_kwargs={"use_reentrant": True},
    ddp_find_unused_parameters=True,
)
`,
    codes: ['AC206'],
  },
  R23: {
    shape: `
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

class Universal(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(80, 512)
        self.shared = nn.TransformerEncoderLayer(512, 8)

    def forward(self, audio):
        hidden = self.stem(audio)
        for _ in range(6):
            hidden = checkpoint(self.shared, hidden, use_reentrant=True)
        return hidden

model = DistributedDataParallel(Universal().cuda())
`,
    codes: ['AC206'],
  },
  R24: {
    outOfReach: 'whether two forwards of a wrapped model meet one backward is decided by the training loop as it runs',
  },
  R25: {
    shape: `
from accelerate import Accelerator
from diffusers import UNet2DConditionModel

accelerator = Accelerator(mixed_precision="fp16")
unet = UNet2DConditionModel.from_pretrained("some/model", subfolder="unet")
unet, optimizer = accelerator.prepare(unet, optimizer)
unet.enable_gradient_checkpointing()
`,
    codes: ['AC606'],
  },
};
