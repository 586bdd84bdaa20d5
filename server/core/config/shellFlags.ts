import type { Span } from '../text/span.ts';
import type { FlagList, FlagWord } from './flags.ts';
import type { ShellAssignment, ShellPart, ShellScript, ShellWord } from './shell.ts';

/**
 * The flags that reach programs: each command with its variables and arrays put in, and each variable on its own, since a
 * script may be read by another one. A list is complete where nothing else can be on the command line.
 */
export function flagListsOf(script: ShellScript): FlagList[] {
  const byName = new Map<string, ShellAssignment[]>();
  for (const assignment of script.assignments) {
    const known = byName.get(assignment.name);
    if (known === undefined) byName.set(assignment.name, [assignment]);
    else known.push(assignment);
  }
  const lists: FlagList[] = [];
  const used = new Set<ShellAssignment>();
  for (const command of script.commands) {
    const expanded = expand(command.words, byName, command.start, used);
    if (!expanded.words.some(isFlag)) continue;
    lists.push({ ...expanded, complete: expanded.complete && runsPython(expanded.words) });
  }
  for (const assignment of script.assignments) {
    const { words } = expand(assignment.words, byName, assignment.start, new Set(), !assignment.isArray);
    if (!words.some(isFlag) || used.has(assignment)) continue;
    lists.push({ words, complete: false });
  }
  return lists;
}

const isFlag = ({ text }: FlagWord): boolean => text?.startsWith('--') === true;

/** A script that only hands its words on may add to them; a Python program gets what stands here. */
const runsPython = (words: readonly FlagWord[]): boolean =>
  words.some(({ text }) => text?.endsWith('.py') === true || text === '-m');

/** Variables of variables end here, and so does the number of words of one command; only cycles are longer. */
const deepest = 8;
const mostWords = 4000;

/** A unit of text with the place it stands at, or a mark: a word ends here, or something unknown is here. */
type Unit = { readonly text: string; readonly at: number } | 'break' | 'unknown' | 'empty';

function expand(
  words: readonly ShellWord[],
  byName: ReadonlyMap<string, readonly ShellAssignment[]>,
  before: number,
  used: Set<ShellAssignment>,
  splitQuoted = false,
): { words: FlagWord[]; complete: boolean } {
  let complete = true;
  const result: FlagWord[] = [];
  for (const word of words) {
    const units: Unit[] = [];
    for (const part of word.parts) place(part, units, 0, before);
    result.push(...wordsOf(units, word));
    if (result.length > mostWords) return { words: result.slice(0, mostWords), complete: false };
  }
  return { words: result, complete };

  function place(part: ShellPart, units: Unit[], depth: number, limit: number): void {
    if (part.kind === 'text') {
      if (part.quoted && part.text === '') units.push('empty');
      for (let index = 0; index < part.text.length && units.length < mostUnits; index++) {
        const text = part.text.charAt(index);
        const breaks = (!part.quoted || depth > 0 || splitQuoted) && /\s/.test(text);
        units.push(breaks ? 'break' : { text, at: part.start + index });
      }
      return;
    }
    const value = part.kind === 'variable' && depth < deepest ? soleValue(part.name, limit) : undefined;
    if (value === undefined || part.kind !== 'variable' || units.length >= mostUnits) {
      units.push('unknown');
      // Without quotes it may be any number of words, and so may all elements of an array.
      if (!part.quoted || part.all) complete = false;
      return;
    }
    used.add(value.assignment);
    if (!value.final) complete = false;
    for (const [index, word] of value.assignment.words.entries()) {
      if (index > 0) units.push('break');
      for (const inner of word.parts) place(inner, units, depth + 1, value.assignment.start);
    }
  }

  /** What a variable certainly holds at a place: given once, outside of any condition, before it is used. */
  function soleValue(name: string, limit: number): { assignment: ShellAssignment; final: boolean } | undefined {
    const assignments = byName.get(name) ?? [];
    const [first] = assignments.filter(({ append }) => !append);
    const sole = assignments.filter(({ append }) => !append).length === 1;
    if (first === undefined || !sole || first.conditional || first.start >= limit) return undefined;
    return { assignment: first, final: assignments.length === 1 };
  }
}

/** Characters of one word with all its variables put in. */
const mostUnits = 50_000;

function wordsOf(units: readonly Unit[], whole: Span): FlagWord[] {
  const words: FlagWord[] = [];
  let text = '';
  let known = true;
  let begun = false;
  let start = 0;
  let end = 0;
  const finish = (): void => {
    if (begun) words.push({ text: known ? text : undefined, at: end > start ? { start, end } : whole });
    text = '';
    known = true;
    begun = false;
    start = 0;
    end = 0;
  };
  for (const unit of units) {
    if (unit === 'break') finish();
    else {
      begun = true;
      if (unit === 'unknown') known = false;
      else if (unit !== 'empty') {
        if (text === '') start = unit.at;
        text += unit.text;
        end = unit.at + 1;
      }
    }
  }
  finish();
  return words;
}
