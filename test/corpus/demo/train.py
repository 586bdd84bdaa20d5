"""Trains a GPT-2 of medium size on a text file. Start here: two checkpoint calls below have something to say."""

import argparse
from functools import partial

import torch
from datasets import load_dataset
from torch.utils.checkpoint import checkpoint
from transformers import AutoTokenizer, DataCollatorForLanguageModeling, GPT2Config, GPT2LMHeadModel
from transformers import Trainer, TrainingArguments

config = GPT2Config(
    n_layer=24,
    n_head=16,
    n_embd=1024,
    n_positions=1024,
    vocab_size=50257,
    attn_implementation="eager",
)

arguments = TrainingArguments(
    output_dir="runs/gpt2-medium",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=4,
    learning_rate=2.5e-4,
    max_steps=20_000,
    bf16=True,
    logging_steps=20,
)


class Checkpointed(torch.nn.Module):
    """A block that keeps only its input for the backward pass and runs a second time there."""

    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, hidden, *rest, **options):
        # How the block is run again is left open here, and what torch does then differs between its versions.
        return checkpoint(partial(self.block, **options), hidden, *rest)


def hidden_states(model, tokens):
    """The decoder's output, one block after the other; used to probe the model between two evaluations."""
    hidden = model.transformer.wte(tokens)
    for block in model.transformer.h:
        hidden = checkpoint(
            block,
            hidden,  # the only tensor that is kept
        )
    return model.transformer.ln_f(hidden)


def tokenized(path, tokenizer):
    dataset = load_dataset("text", data_files=path, split="train")
    return dataset.map(
        lambda rows: tokenizer(rows["text"], truncation=True, max_length=1024),
        batched=True,
        remove_columns=["text"],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", help="a file of plain text")
    options = parser.parse_args()

    tokenizer = AutoTokenizer.from_pretrained("openai-community/gpt2")
    tokenizer.pad_token = tokenizer.eos_token
    model = GPT2LMHeadModel(config)
    model.transformer.h = torch.nn.ModuleList(Checkpointed(block) for block in model.transformer.h)

    Trainer(
        model=model,
        args=arguments,
        train_dataset=tokenized(options.text, tokenizer),
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
    ).train()


if __name__ == "__main__":
    main()
