import { type FlagList, type FlagWord, flagGiven } from '../config/flags.ts';
import type { TextEdit } from '../text/edit.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import { type ApplyPlace, type Change, cannot, change } from './place.ts';
import { endOfLine, insertion, replacement } from './sourceLayout.ts';

const [granularity, method, number] = [
  '--recompute-granularity',
  '--recompute-method',
  '--recompute-num-layers',
] as const;
const short = '--recompute-activations';

/** Megatron-LM's recomputation flags, in a script that gives it the size of a model. */
export function megatronPlaces(text: string, flags: readonly FlagList[]): ApplyPlace[] {
  // A variable's words also reach the command that uses it: the list with the most words has them all.
  const lists = flags
    .filter((list) => flagGiven(list, '--num-layers') !== undefined && isMegatron(list))
    .toSorted((a, b) => b.words.length - a.words.length);
  const [list] = lists;
  const anchor = list && valueBehind(list, '--num-layers');
  if (list === undefined || anchor === undefined) return [];
  const isOn = flagGiven(list, granularity) !== undefined || flagGiven(list, short) !== undefined;
  return [
    { form: 'setting', what: granularity, at: anchor.at, isOn, put: (chosen) => put(text, list, anchor, chosen) },
  ];
}

const isMegatron = (list: FlagList): boolean =>
  ['--micro-batch-size', '--num-attention-heads', '--tensor-model-parallel-size'].some(
    (name) => flagGiven(list, name) !== undefined,
  );

function put(text: string, list: FlagList, anchor: FlagWord, chosen: ChosenStrategy): Change {
  const wanted = flagsFor(chosen);
  if (wanted === undefined) return cannot(`Megatron-LM has no flags for ${chosenText(chosen)}`);
  const edits: TextEdit[] = [];
  const added: string[] = [];
  for (const name of [short, granularity, method, number]) {
    const word = list.words.find((one) => one.text === name);
    const value = valueBehind(list, name);
    const literal = wanted.get(name);
    if (list.words.some((one) => one.text?.startsWith(`${name}=`) === true))
      return cannot(`${name} is written with =, which is not changed here`);
    if (literal === undefined) {
      if (word !== undefined) edits.push(removal(text, word.at.start, (value ?? word).at.end));
    } else if (word === undefined) added.push(`${name} ${literal}`);
    else if (value === undefined) return cannot(`the value of ${name} is not known`);
    else if (value.text !== literal) edits.push(replacement(value.at, literal));
  }
  if (added.length > 0) edits.push(insertion(anchor.at.end, added.map((flag) => ` ${flag}`).join('')));
  return change(...edits);
}

function flagsFor({ name, segment }: ChosenStrategy): ReadonlyMap<string, string> | undefined {
  if (name === 'none') return new Map();
  if (name === 'selective') return new Map([[granularity, 'selective']]);
  if (name !== 'full') return undefined;
  return new Map([
    [granularity, 'full'],
    [method, 'uniform'],
    [number, String(segment)],
  ]);
}

/** The word behind a flag, where it is written out. */
function valueBehind({ words }: FlagList, name: string): FlagWord | undefined {
  const at = words.findLastIndex(({ text }) => text === name);
  const value = at < 0 ? undefined : words[at + 1];
  return value?.text === undefined || value.text.startsWith('--') ? undefined : value;
}

/** With its whole line where nothing else is on it, else with the space before it. */
function removal(text: string, start: number, end: number): TextEdit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = endOfLine(text, end);
  if (/^\s*$/.test(text.slice(lineStart, start)) && /^\s*\\$/.test(text.slice(end, lineEnd)))
    return replacement({ start: lineStart, end: lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1) }, '');
  let from = start;
  while (from > lineStart && /[ \t]/.test(text[from - 1] ?? '')) from--;
  return replacement({ start: from, end }, '');
}
