import { endOfString } from '../python/sections.ts';

/** Every rule is about code that says one of these; a file without them is not even decoded. */
export const relevantWords: readonly string[] = ['checkpoint', 'activation_memory_budget', '--recompute-'];

/**
 * Whether rules may have anything to say about a module; the others are neither parsed nor linted. Most files that say
 * "checkpoint" save and load weights, or say it in a comment, a docstring or a message. What counts is a setting of activation
 * checkpointing, as a name or as a whole string, and a function that may checkpoint: one that is imported or called.
 */
export function isRelevant(text: string): boolean {
  const says = (one: string): boolean => text.includes(one);
  if (!hasRelevantWord(text)) return false;
  if (text.length < shortText) return true;
  return namesCheckpointing(text) || otherWords.some(says) || givesDeepSpeed(text) || isEager(text) || mayRerun(text);
}

export const hasRelevantWord = (text: string): boolean => relevantWords.some((one) => text.includes(one));

/**
 * Judges the versions of one document, one after the other. Once one of them was relevant the words alone decide: at each key
 * it would take longer to look for what makes a long text relevant than that saves.
 */
export function relevanceOfVersions(): (text: string) => boolean {
  let wasRelevant = false;
  return (text) => {
    wasRelevant = wasRelevant ? hasRelevantWord(text) : isRelevant(text);
    return wasRelevant;
  };
}

/** A file this short is linted as quickly as it is judged. In UTF-16 units. */
const shortText = 4_000;

/** What rules look for in any file that says "checkpoint". */
const otherWords: readonly string[] = [
  ...relevantWords.slice(1),
  'checkpoint-lens',
  'enable_input_require_grads',
  'partition_activations',
  'contiguous_memory_optimization',
];

/** A configuration given to a trainer. */
const givesDeepSpeed = (text: string): boolean => text.includes('deepspeed') && /\bdeepspeed\s*=(?!=)/.test(text);

const isEager = (text: string): boolean => text.includes('attn_implementation') && /(["'])eager\1/.test(text);

/** A custom backward that reads its tensors twice, or runs its forward again. */
const mayRerun = (text: string): boolean =>
  text.includes('Function') && /\benable_grad\b|\bsaved_tensors\b[\s\S]*\bsaved_tensors\b/.test(text);

function namesCheckpointing(text: string): boolean {
  const placeAt = reader(text);
  let star: boolean | undefined;
  const hasStarImport = (): boolean => {
    star ??= starImport.test(text);
    return star;
  };
  let judged = 0;
  for (const { index: at, 0: found } of text.matchAll(word)) {
    if (++judged > mostJudged) return true;
    const start = at - lengthBefore(text, at);
    const end = endOfWord(text, at + found.length);
    const name = text.slice(start, end);
    if (isOfWeights(name) || describes.test(name)) continue;
    const isSetting = settings.test(name);
    const inCode = isSetting || mayBeFunction(text, start, end, hasStarImport);
    const inString = isSetting && isWholeString(text, start, end);
    if (!inCode && !inString) continue;
    const place = placeAt(at);
    if (place === 'code' ? inCode : place === 'string' && inString) return true;
  }
  return false;
}

const word = /checkpoint|ckpt/g;
/** A text that says the word more often than this is linted as quickly as it is judged. */
const mostJudged = 500;

/** Options, methods and keys that libraries have for activation checkpointing, whatever they are part of. */
const settings =
  /checkpointing|(?:grad(?:ient)?|activations?|act|selective)_checkpoint|checkpoint_(?:activations|wrapper|sequential|impl|in_cpu)|num(?:ber)?_checkpoints|synchronize_checkpoint/;
/** A test of them, and what a class says it can do. */
const describes = /^(?:test_|_?supports_)/;

const isOfWeights = (name: string): boolean => weights.test(name) && !activations.test(name);

/** Parts of names that have to do with files of weights, and those that tell of activations all the same. */
const weights =
  /(?:^|_)(?:load(?:s|ed|er|ing)?|sav(?:e[drs]?|ing)|resum(?:e|ed|ing)|restor(?:e|ed|ing)|read(?:er)?|writer?|from|names?|paths?|dir(?:s|ectory|ectories)?|files?|filenames?|folders?|urls?|(?:pre|suf)fix|format|version|metadata|state|dict|keys?|steps?|epochs?|interval|frequency|every|limit|callbacks?|manager|io|engine|utils|(?:checkpoint|ckpt)(?:s|ers?)|latest|last|best|init|pretrained|dist(?:ributed)?|sharded|convert(?:ed)?|export(?:ed)?|download|remov(?:e|ing)|delete)(?:_|$)/i;
const activations = /grad|activation|recompute|num(?:ber)?_checkpoints/i;

/** Whether the name is imported, called or taken from a module here, and not a function of this file. */
function mayBeFunction(text: string, start: number, end: number, hasStarImport: () => boolean): boolean {
  const name = text.slice(start, end);
  const before = text.slice(Math.max(0, start - longestName), start);
  const isCalled = /^[ \t]*\(/.test(text.slice(end, end + 10));
  const owner = /(\w*)[ \t]*\.[ \t]*$/.exec(before)?.[1];
  if (owner !== undefined) {
    if (owner === 'distributed') return false;
    return isCalled || isInImport(text, start) || (name === 'checkpoint' && !holders.has(owner));
  }
  if (isInImport(text, start)) return true;
  if (isCalled || /@[ \t]*$/.test(before)) return !text.includes(`def ${name}(`);
  // Anything that is used may have come along with a star.
  return name === 'checkpoint' && hasStarImport();
}

/** An attribute of these is a value somebody set. */
const holders: ReadonlySet<string> = new Set(['self', 'args', 'opt', 'opts', 'cfg', 'config', 'hparams', 'FLAGS']);
const starImport = /\bimport[ \t]*(?:\([ \t]*)?\*/;

/** Also over several lines, in brackets or behind a backslash. */
function isInImport(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longestImport), at);
  if (!before.includes('import')) return false;
  return /(?:^|\n)[ \t]*(?:from\b[^\n;]*(?:\\\r?\n[^\n;]*)*\bimport\b[ \t]*\([^)]*|(?:from|import)\b[^\n;]*(?:\\\r?\n[^\n;]*)*)$/.test(
    before.replace(/#.*/g, ''),
  );
}

const longestImport = 4_000;

/** `"gradient_checkpointing"`, `'--gradient-checkpointing'`. */
const isWholeString = (text: string, start: number, end: number): boolean =>
  /["'][\w.-]*$/.test(text.slice(Math.max(0, start - 80), start)) && /^[\w.-]*["']/.test(text.slice(end, end + 80));

type Place = 'code' | 'string' | 'comment';

/** Tells of places, each behind the one before, what they stand in. What an f-string computes is code. */
function reader(text: string): (at: number) => Place {
  const marks = new RegExp(mark);
  let kind: Place = 'code';
  let start = 0;
  let end = 0;
  return (at) => {
    while (end <= at) {
      const found = marks.exec(text);
      if (found === null) return 'code';
      const [token] = found;
      start = found.index;
      kind = token.startsWith('#') ? 'comment' : /^\w*f/i.test(token) ? 'code' : 'string';
      const quotes = opening.exec(token)?.[1];
      // Without an end it is still being typed, and what follows is not one string.
      if (quotes !== undefined) marks.lastIndex = endOfString(text, marks.lastIndex, quotes) ?? marks.lastIndex;
      end = marks.lastIndex;
    }
    return at < start ? 'code' : kind;
  };
}

/** Comments, strings, and the opening of those over several lines. */
const mark = /#.*|(?:\b[a-z]{1,2})?(?:"""|'''|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?)/gi;
const opening = /^\w*("""|''')$/;

function lengthBefore(text: string, at: number): number {
  let start = at;
  while (at - start < longestName && isWordUnit(text.charCodeAt(start - 1))) start--;
  return at - start;
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (end - from < longestName && isWordUnit(text.charCodeAt(end))) end++;
  return end;
}

const isWordUnit = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122);

/** What is longer was not written by a person. In UTF-16 units. */
const longestName = 200;
