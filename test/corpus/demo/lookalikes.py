"""Other things that are called checkpoint. Nothing in this file is about activations, so nothing is flagged."""

import torch
import torch.distributed.checkpoint as checkpoint
from lightning.pytorch.callbacks import ModelCheckpoint
from megatron.core import tensor_parallel


def save(model, folder):
    checkpoint.save({"model": model.state_dict()}, checkpoint_id=folder)


def restore(model, folder):
    state = {"model": model.state_dict()}
    checkpoint.load(state, checkpoint_id=folder)
    model.load_state_dict(state["model"])


def keep_the_best(folder):
    return ModelCheckpoint(dirpath=folder, monitor="validation_loss", save_top_k=3)


def parallel_block(block, hidden, mask):
    # This one takes `distribute_saved_activations` second and knows no `use_reentrant`.
    return tensor_parallel.checkpoint(block, False, hidden, mask)


class Journal:
    """Writes down how far a run has come."""

    def __init__(self, path):
        self.path = path

    def checkpoint(self, step, loss):
        with open(self.path, "a") as journal:
            journal.write(f"{step}\t{loss:.4f}\n")


def train(model, batches, journal):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for step, batch in enumerate(batches):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        journal.checkpoint(step, loss.item())
