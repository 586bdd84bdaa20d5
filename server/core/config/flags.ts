import type { Span } from '../text/span.ts';

/** One word of a command line, from a shell script or a list in Python. */
export interface FlagWord {
  /** Undefined where a part of it is not known. */
  readonly text: string | undefined;
  /** What a word that is not known is where nobody sets a variable the script has a default for. */
  readonly supposed?: string;
  /** What a word that is not known ends in: the file's name of `$HERE/train.py`. */
  readonly ending?: string;
  /** The computation its text comes from: `1024 * 2`. */
  readonly computed?: string;
  readonly at: Span;
}

export interface FlagList {
  readonly words: readonly FlagWord[];
  /** `NAME=value` of the variables that only this command sees. */
  readonly environment?: readonly FlagWord[];
  /** False where other words may reach the program as well, so that nothing can be said to be missing. */
  readonly complete: boolean;
}

/** A flag as it is given last, which is the time that counts. */
export interface GivenFlag {
  /** The flag, and its value where it has one. */
  readonly at: Span;
  /** Undefined for a value that is not known, and for none at all. */
  readonly value: string | undefined;
  readonly hasValue: boolean;
}

/** `--flag value` and `--flag=value`. A word that is not known counts as the value of the flag before it. */
export function flagGiven({ words }: FlagList, name: string): GivenFlag | undefined {
  for (let index = words.length - 1; index >= 0; index--) {
    const word = words[index];
    if (word?.text === undefined) continue;
    if (word.text === name) {
      const next = words[index + 1];
      const isValue = next !== undefined && next.text?.startsWith('--') !== true;
      return { at: word.at, value: isValue ? next.text : undefined, hasValue: isValue };
    }
    if (word.text.startsWith(`${name}=`))
      return { at: word.at, value: word.text.slice(name.length + 1), hasValue: true };
  }
  return undefined;
}
