import type { Span } from '../text/span.ts';
import type { FlagList, FlagWord } from './flags.ts';
import type { ShellAssignment, ShellPart, ShellScript, ShellWord } from './shell.ts';
import { type ShellNumber, shellArithmetic } from './shellArithmetic.ts';

/**
 * The flags that reach programs: each command with its variables and arrays put in, and each variable on its own, since a
 * script may be read by another one. A list is complete where nothing else can be on the command line.
 */
export const flagListsOf = (script: ShellScript): FlagList[] => listsOf(script, isFlag);

/** The same with commands that are given no flag and name a settings file: `axolotl train config.yml`. */
export const commandLinesOf = (script: ShellScript): FlagList[] =>
  listsOf(script, (word) => isFlag(word) || /\.(ya?ml|json|toml)$|^[\w.]+=/.test(word.text ?? ''));

function listsOf(script: ShellScript, isTelling: (word: FlagWord) => boolean): FlagList[] {
  const variables = variablesOf(script);
  const lists: FlagList[] = [];
  const used = new Set<ShellAssignment>();
  for (const command of script.commands) {
    const expanded = expand(command.words, variables, command.start, used);
    if (!expanded.words.some(isTelling)) continue;
    const environment = command.environment.flatMap((assignment) => environmentWord(assignment, variables));
    const complete = expanded.complete && runsPython(expanded.words);
    lists.push({ ...expanded, ...(environment.length > 0 && { environment }), complete });
  }
  for (const assignment of script.assignments) {
    const { words } = expand(assignment.words, variables, assignment.start, new Set(), !assignment.isArray);
    if (!words.some(isFlag) || used.has(assignment)) continue;
    lists.push({ words, complete: false });
  }
  return lists;
}

function environmentWord(assignment: ShellAssignment, variables: ReadonlyMap<string, Variable>): FlagWord[] {
  const [word, ...more] = expand(assignment.words, variables, assignment.start, new Set(), true).words;
  if (word?.text === undefined || more.length > 0) return [];
  return [{ ...word, text: `${assignment.name}=${word.text}` }];
}

interface Variable {
  /** Its value, where it is given once and outside of any condition. */
  readonly assignment: ShellAssignment | undefined;
  /** More is added to it somewhere. */
  readonly grows: boolean;
  /** Assignments that replace what was there; no more than `mostReplaced`, since nothing is supposed of so many. */
  readonly all: readonly ShellAssignment[];
}

const mostReplaced = 3;

function variablesOf(script: ShellScript): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  for (const assignment of script.assignments) {
    const known = variables.get(assignment.name);
    if (assignment.append) {
      variables.set(assignment.name, { assignment: known?.assignment, grows: true, all: known?.all ?? [] });
    } else {
      const isSole = known === undefined && !assignment.conditional;
      const before = known?.all ?? [];
      const all = before.length < mostReplaced ? [...before, assignment] : before;
      variables.set(assignment.name, {
        assignment: isSole ? assignment : undefined,
        grows: known?.grows ?? false,
        all,
      });
    }
  }
  return variables;
}

/**
 * What a variable holds where nobody gives it: `STAGE=$1` and then `STAGE=3` under a condition, or the default of
 * `${STAGE:-3}`.
 */
function supposedOf(variable: Variable | undefined): string | undefined {
  if (variable === undefined || variable.grows || variable.all.length > 2) return undefined;
  const texts = variable.all.map(({ words, isArray }) => {
    const [part] = words[0]?.parts ?? [];
    if (isArray || words.length !== 1 || words[0]?.parts.length !== 1 || part === undefined) return undefined;
    if (part.kind === 'text') return part.text;
    return part.kind === 'unknown' ? (part.otherwise ?? (part.isArgument ? null : undefined)) : undefined;
  });
  const given = texts.filter((text) => text !== null);
  return given.length === 1 && !/\s/.test(given[0] ?? ' ') ? given[0] : undefined;
}

const isFlag = ({ text }: FlagWord): boolean => text?.startsWith('--') === true;

/** A script that only hands its words on may add to them; a Python program gets what stands here. */
const runsPython = (words: readonly FlagWord[]): boolean =>
  words.some(({ text }) => text?.endsWith('.py') === true || text === '-m');

/** Variables of variables end here, and so does the number of words of one command; only cycles are longer. */
const deepest = 8;
const mostWords = 4000;

/** A unit of text with the place it stands at, or a mark: a word ends here, or something unknown is here. */
type Unit =
  | { readonly text: string; readonly at: number }
  | { readonly supposed: string; readonly at: number; readonly end: number }
  | { readonly computed: string; readonly from: string; readonly at: number; readonly end: number }
  | 'break'
  | 'unknown'
  | 'empty';

function expand(
  words: readonly ShellWord[],
  variables: ReadonlyMap<string, Variable>,
  before: number,
  used: Set<ShellAssignment>,
  splitQuoted = false,
): { words: FlagWord[]; complete: boolean } {
  let complete = true;
  let numbersRead = 0;
  const result: FlagWord[] = [];
  for (const word of words) {
    const units: Unit[] = [];
    const isSingle = isNamedLike(word, result.at(-1));
    for (const part of word.parts) place(part, units, 0, before, isSingle);
    result.push(...wordsOf(units, word));
    if (result.length > mostWords) return { words: result.slice(0, mostWords), complete: false };
  }
  return { words: result, complete };

  function place(part: ShellPart, units: Unit[], depth: number, limit: number, isSingle: boolean): void {
    if (part.kind === 'text') {
      if (part.quoted && part.text === '') units.push('empty');
      for (let index = 0; index < part.text.length && units.length < mostUnits; index++) {
        const text = part.text.charAt(index);
        const breaks = (!part.quoted || depth > 0 || splitQuoted) && /\s/.test(text);
        units.push(breaks ? 'break' : { text, at: part.start + index });
      }
      return;
    }
    if (part.kind === 'arithmetic') {
      const { start, end, expression } = part;
      const number = shellArithmetic(expression, (name) => numberOf(name, depth + 1, limit));
      const text = String(number?.value);
      if (number === undefined) units.push('unknown');
      else if (number.isSupposed) units.push({ supposed: text, at: start, end });
      else units.push({ computed: text, from: expression.trim(), at: start, end });
      return;
    }
    const variable = part.kind === 'variable' && depth < deepest ? variables.get(part.name) : undefined;
    const assignment = variable?.assignment;
    if (assignment === undefined || assignment.start >= limit || units.length >= mostUnits) {
      const supposed = part.kind === 'unknown' ? part.otherwise : supposedOf(variable);
      const { start, end } =
        part.kind === 'unknown' || supposed === undefined ? part : (supposedPlace(variable) ?? part);
      units.push(supposed === undefined ? 'unknown' : { supposed, at: start, end });
      const rest = part.kind === 'unknown' ? (part.ending ?? '') : '';
      for (const [index, text] of [...rest].entries()) units.push({ text, at: part.start + index });
      // Without quotes it may be any number of words, and so may all elements of an array.
      if (!isSingle && (!part.quoted || part.all)) complete = false;
      return;
    }
    used.add(assignment);
    if (variable?.grows === true) complete = false;
    for (const [index, word] of assignment.words.entries()) {
      if (index > 0) units.push('break');
      for (const inner of word.parts) place(inner, units, depth + 1, assignment.start, false);
    }
  }

  /** Of a variable that holds a number, or another such variable. */
  function numberOf(name: string, depth: number, limit: number): ShellNumber | undefined {
    if (depth >= deepest || numbersRead++ >= mostNumbers) return undefined;
    const variable = variables.get(name);
    const assignment = variable?.assignment;
    const [word] = assignment?.words ?? [];
    const [part] = word?.parts ?? [];
    const isPlain = assignment?.words.length === 1 && word?.parts.length === 1 && !assignment.isArray;
    if (isPlain && variable?.grows === false && assignment.start < limit) {
      if (part?.kind === 'text') return wholeNumber(part.text, false);
      if (part?.kind === 'variable' && !part.all) return numberOf(part.name, depth + 1, assignment.start);
      if (part?.kind === 'arithmetic')
        return shellArithmetic(part.expression, (inner) => numberOf(inner, depth + 1, assignment.start));
    }
    return wholeNumber(supposedOf(variable), true);
  }
}

const wholeNumber = (text: string | undefined, isSupposed: boolean): ShellNumber | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? { value: Number(text), isSupposed } : undefined;

/** Numbers that one command's computations are made of; only variables that multiply each other are more. */
const mostNumbers = 1000;

/** Where the text of `supposedOf` stands. */
function supposedPlace(variable: Variable | undefined): Span | undefined {
  const parts = variable?.all.flatMap(({ words }) => words[0]?.parts ?? []) ?? [];
  return parts.find((part) => part.kind === 'text' || (part.kind === 'unknown' && part.otherwise !== undefined));
}

/** `--zero_stage $ZERO_STAGE`: a variable called like the flag before it is that flag's value and no list of further flags. */
function isNamedLike({ parts }: ShellWord, flag: FlagWord | undefined): boolean {
  const [part] = parts;
  if (parts.length !== 1 || part?.kind !== 'variable' || part.all || flag?.text?.startsWith('--') !== true)
    return false;
  const variable = part.name.replaceAll('_', '').toLowerCase();
  const name = flag.text.replaceAll(/[-_]/g, '').toLowerCase();
  if (Math.min(variable.length, name.length) <= 2 || /(args?|arguments|opts?|options|flags?)$/.test(variable))
    return false;
  return name.includes(variable) || variable.includes(name);
}

/** Characters of one word with all its variables put in. */
const mostUnits = 50_000;

/** Behind a folder that is not known. */
const isPath = /^\/[\w./-]*\.\w+$/;

function wordsOf(units: readonly Unit[], whole: Span): FlagWord[] {
  const words: FlagWord[] = [];
  let text = '';
  let supposed = '';
  let known = true;
  /** Everything in it that is not known has a default. */
  let isSupposed = true;
  let begun = false;
  let ending = '';
  let computed: string | undefined;
  let start = 0;
  let end = 0;
  const finish = (): void => {
    const at = end > start ? { start, end } : whole;
    if (begun && known) words.push({ text, ...(computed !== undefined && { computed }), at });
    else if (begun)
      words.push({ text: undefined, ...(isSupposed ? { supposed } : isPath.test(ending) && { ending }), at });
    text = '';
    supposed = '';
    known = true;
    isSupposed = true;
    begun = false;
    ending = '';
    computed = undefined;
    start = 0;
    end = 0;
  };
  for (const unit of units) {
    if (unit === 'break') finish();
    else {
      begun = true;
      if (unit === 'unknown') {
        known = false;
        isSupposed = false;
        ending = '';
      } else if (unit !== 'empty' && 'supposed' in unit) {
        known = false;
        if (supposed === '') start = unit.at;
        supposed += unit.supposed;
        end = unit.end;
      } else if (unit !== 'empty' && 'computed' in unit) {
        if (text === '' && supposed === '') start = unit.at;
        text += unit.computed;
        supposed += unit.computed;
        computed = unit.from;
        end = unit.end;
      } else if (unit !== 'empty') {
        if (text === '' && supposed === '') start = unit.at;
        text += unit.text;
        supposed += unit.text;
        ending += unit.text;
        end = unit.at + 1;
      }
    }
  }
  finish();
  return words;
}
