import type { FlagWord } from '../../config/flags.ts';
import type { Given } from './given.ts';

/** Words before the program are its launcher's. A program is a `.py` file, what follows `-m`, or a command we know. */
export function parted(words: readonly FlagWord[]): {
  readonly launcher: readonly FlagWord[];
  readonly program: string | undefined;
  readonly words: readonly FlagWord[];
} {
  const split = (index: number, program: string) => ({
    launcher: words.slice(0, index),
    program,
    words: words.slice(index + 1),
  });
  // `ray job submit … -- python train.py`: what another program is given to run.
  const handedOver = words.findLastIndex(({ text }) => text === '--');
  const isProgram = ({ text }: FlagWord): boolean => text !== undefined && /^-m$|\.py$/.test(text);
  const from = words.slice(handedOver + 1).some(isProgram) ? handedOver + 1 : 0;
  for (const [index, word] of words.entries()) {
    if (index < from) continue;
    const text = writtenPath(word);
    if (text === undefined) continue;
    const next = words[index + 1]?.text;
    if (/\.py$/.test(text) && !takesValue(words[index - 1]?.text)) return split(index, text);
    const isLauncher =
      next !== undefined && /^torch\.distributed\.(launch|run)$|^accelerate\.commands\.launch$/.test(next);
    if (/^(-m|--module)$/.test(text) && next !== undefined && !isLauncher && !next.startsWith('-'))
      return split(index + 1, next);
    const isCommand = /^(llamafactory-cli|lmf|axolotl|tune|trl|swift)$/.test(text);
    if ((isCommand || (text === 'megatron' && /^(sft|pt|rlhf)$/.test(next ?? ''))) && next !== undefined)
      return split(index + 1, `${text} ${next}`);
  }
  return { launcher: words, program: undefined, words };
}

/** `--flag`, whose value is the next word; `--flag=value` has its own. */
export const takesValue = (text: string | undefined): boolean => text?.startsWith('--') === true && !text.includes('=');

/** Servers, commands of libraries that do not train, and programs that say so by their name and learn at no rate. */
export function trainsNothing(program: string, given: Given): boolean {
  if (
    /^(vllm|sglang|lm_eval)\b|^swift (?!sft$|pt$|rlhf$)|^(llamafactory-cli|lmf) (?!train$)|^axolotl (?!train$)/.test(
      program,
    )
  )
    return true;
  const name = program.replace(/\.py$/, '').replace(/^.*\//, '');
  return (
    /(^|[._])(transcribe|infer|inference|generate|predict|eval|evaluate|evaluation|convert|merge|export|preprocess|prepare|analyze|apply|download|serve|server|api_server|chat|extract|sample)(?=[._\d]|$)/.test(
      name,
    ) &&
    given.find('learning_rate', 'lr', 'do_train', 'num_train_epochs', 'max_train_steps', 'train_iters') === undefined
  );
}

/** Of a path in a folder that is not known, the rest. */
export const writtenPath = ({ text, ending }: FlagWord): string | undefined => text ?? ending?.slice(1);
