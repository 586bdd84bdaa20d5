export const overview = `Checkpoint Lens finds activation-checkpoint calls that raise, compute wrong gradients or waste memory, and shows the
activation budget of a PyTorch model.

Usage: checkpoint-lens COMMAND [FLAGS]

Commands:
  check [PATH…]    findings in Python files and folders
  sites [PATH…]    every place that calls, configures or switches checkpointing
  budget [FILE]    activation memory of a model, with and without checkpointing
  facts [PATH]     the training runs that files describe, each value with its place
  explain CODE     what a rule finds, why, and how its fix works
  lsp --stdio      language server for editors

  --help           this text; after a command, its flags
  --version        version of Checkpoint Lens
`;

export const checkHelp = `Finds activation-checkpoint calls that raise, compute wrong gradients or waste memory.

Usage: checkpoint-lens check [PATH…] [FLAGS]

PATH is a file or a folder; without one it is the folder you are in. Folders are searched for .py files, notebooks,
shell scripts and settings of DeepSpeed, Accelerate, LLaMA-Factory, axolotl, torchtune and torchtitan, except what
.gitignore files exclude, virtual environments, node_modules and __pycache__. \`-\` reads standard input.

  --format FORMAT          text (default), json, sarif or github
  --fix                    make the preferred fixes; with \`-\` the fixed text goes to standard output, the report to
                           standard error
  --select CODES           only these rules, for example AC101,AC201
  --ignore CODES           all rules but these
  --torch VERSION          torch version the code runs on, for example 2.4; without it, a current one
  --stdin-filename NAME    name to report for what \`-\` reads
  --threads N              check with at most so many; without it, one less than the machine has processors, up to 4
  --no-cache               check everything anew; else a folder's results are kept in the user's cache folder and used
                           where the file, all it depends on, versions and flags are the same

Exit code: 0 nothing found, 1 findings, 2 bad usage or input that could not be read, 130 stopped by Ctrl+C.
`;

export const sitesHelp = `Lists every place that calls, configures or switches activation checkpointing: calls of torch's functions and of the
project's own wrappers, methods, keywords and keys, with the variant where it is known. Folders are searched for .py files
and notebooks.

Usage: checkpoint-lens sites [PATH…] [FLAGS]

  --format FORMAT          text (default) or json

Exit code: 0, or 2 for bad usage or input that could not be read.
`;

export const budgetHelp = `Shows the activation memory of a model: what the paper counts and what PyTorch keeps.

Usage: checkpoint-lens budget [FILE] [FLAGS]

FILE is a Python file, a shell script or a settings file that describes a training, or a folder to find one in. Flags beat what it says.

  --config HF_CONFIG.json  model from a Hugging Face config.json
  --model HF_ID            model from the bundled registry, for example meta-llama/Llama-3.1-8B
  --layers N               layers
  --batch N                sequences in one forward pass on one device
  --seq N                  tokens in a sequence
  --dtype TYPE             bf16, fp16 or fp32
  --attention KIND         eager, sdpa, flash, efficient or math
  --dropout P              probability, 0 to turn it off
  --segment K              layers in one checkpointed segment
  --gpu NAME               whether it fits: H100, "A100 40GB", 4090, or 24GB
  --format FORMAT          text (default) or json

Exit code: 0, or 2 for bad usage, a missing value or input that could not be read.
`;

export const factsHelp = `Lists the training runs that files describe, and shows every value of one of them: where it was read, and what lost against it.

Usage: checkpoint-lens facts [PATH] [FLAGS]

PATH is a file or a folder; without one it is the folder you are in. Runs are read from Python files, shell scripts that
start a training, and settings of axolotl, LLaMA-Factory, torchtune, torchtitan, Composer, DeepSpeed, Accelerate and
transformers. Nothing is run. The run that says most is shown.

  --run N|NAME             this run: its number in the list, or a part of its name
  --format FORMAT          text (default) or json, which has every run

Exit code: 0, or 2 for bad usage or input that could not be read.
`;

export const explainHelp = `Prints the page of a rule: what it finds, why, and how its fix works.

Usage: checkpoint-lens explain CODE

CODE is a rule's code or name, for example AC101 or implicit-use-reentrant.
`;

export const lspHelp = `Starts the language server on standard input and output, for an editor's configuration.

Usage: checkpoint-lens lsp --stdio
`;
