import { textPlaces } from '../python/textPlaces.ts';
import { isWordUnit } from '../text/wordUnit.ts';

/**
 * Whether a module names, as code or as a whole string, a setting of activation checkpointing, or a function that may
 * checkpoint: one whose name says so and that is imported, called or handed on, or one that comes from a module of such a name.
 */
export function namesCheckpointing(text: string): boolean {
  const placeAt = textPlaces(text);
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
    if (isOfWeights(name) || setsNothing.test(name)) continue;
    const isSetting = settings.test(name);
    const inCode = mayMatterInCode(text, start, end, isSetting, hasStarImport);
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
  /(?:grad(?:ient)?|activations?|act|selective)_checkpoint(?:ing)?(?:_[A-Za-z\d]+){0,2}$|(?:use|cpu|contiguous|deepspeed|fsdp)_checkpointing|^checkpointing$|checkpoint_(?:activations|impl|in_cpu)|num(?:ber)?_checkpoints$|synchronize_checkpoint/;
/** Functions of libraries that may be handed on instead of being called. */
const functions = /^(?:checkpoint(?:_wrapper|_sequential)?|create_selective_checkpoint_contexts)$/;
/** A test of them, what a class says it can do, and operators of torch's compiler. */
const setsNothing = /^(?:test_|_?supports_|(?:tag|wrap)_activation_checkpoint$)|activation_checkpoint_op$/;
/** What a class may have of its own that a library calls; any other function says what it is about by what it does. */
const overridden = 'gradient_checkpointing_enable';

const isOfWeights = (name: string): boolean => weights.test(name) && !activations.test(name);

/** Parts of names that have to do with files of weights, and those that tell of activations all the same. */
const weights =
  /(?:^|_)(?:load(?:s|ed|er|ing)?|sav(?:e[drs]?|ing)|resum(?:e|ed|ing)|restor(?:e|ed|ing)|read(?:er)?|writer?|from|names?|paths?|dir(?:s|ectory|ectories)?|files?|filenames?|folders?|urls?|(?:pre|suf)fix|format|version|metadata|state|dict|ids?|info|bytes|params|variables?|keys?|steps?|epochs?|interval|frequency|every|limit|keep|callbacks?|manager|io|client|engine|utils|(?:checkpoint|ckpt)(?:s|ers?)|latest|last|best|init|pretrained|universal|async|dist(?:ributed)?|sharded|merged?|consolidate|convert(?:ed)?|conversion|migrate|upgrade|export(?:ed)?|upload|download|send|recv|receive|remov(?:e|ing)|delete|is|has|valid(?:ate)?)(?:_|$)/i;
const activations = /grad|activation|recompute|num(?:ber)?_checkpoints$/i;

/** Whether the name at this place, read as code, sets something or may stand for a function that checkpoints. */
function mayMatterInCode(
  text: string,
  start: number,
  end: number,
  isSetting: boolean,
  hasStarImport: () => boolean,
): boolean {
  const statement = importAround(text, start, end);
  if (statement !== undefined) return mayBring(statement, text);
  const name = text.slice(start, end);
  const before = text.slice(Math.max(0, start - longestName), start);
  if (/\bdef[ \t]+$/.test(before)) return name === overridden;
  return isSetting || mayBeFunction(text, name, before, text.slice(end, end + longestName), hasStarImport);
}

/** Whether the name is called or taken from a module here, and not a function of this file. */
function mayBeFunction(
  text: string,
  name: string,
  before: string,
  after: string,
  hasStarImport: () => boolean,
): boolean {
  const isCalled = /^[ \t]*\(/.test(after) && !text.includes(`def ${name}(`);
  const owner = /(\w*)[ \t]*\.[ \t]*$/.exec(before)?.[1];
  if (owner !== undefined) {
    if (owner === 'distributed') return false;
    if (isCalled || holders.has(owner)) return isCalled;
    const [member, ofModule, call] = /^[ \t]*\.[ \t]*(\w+)([ \t]*\()?/.exec(after) ?? [];
    // A module, whose functions are judged where they stand if they say the word.
    if (member !== undefined) return call !== undefined && !ofFiles.test(ofModule ?? '');
    // To compare with it is no use of it.
    return functions.test(name) && !/\bis(?:[ \t]+not)?[ \t]+[\w.]*$/.test(before);
  }
  if (isCalled) return true;
  if (/@[ \t]*$/.test(before)) return !text.includes(`def ${name}(`);
  // Anything that is used may have come along with a star.
  return functions.test(name) && hasStarImport();
}

/** An attribute of these is a value somebody set. */
const holders: ReadonlySet<string> = new Set(['self', 'args', 'opt', 'opts', 'cfg', 'config', 'hparams', 'FLAGS']);
const starImport = /\bimport[ \t]*(?:\([ \t]*)?\*/;

/** A statement that imports something, without comments, up to the name that is judged and behind it. */
interface ImportAround {
  readonly before: string;
  readonly after: string;
}

/** Also over several lines, in brackets or behind a backslash. */
function importAround(text: string, start: number, end: number): ImportAround | undefined {
  const before = text.slice(Math.max(0, start - longestImport), start);
  if (!/\b(?:from|import)\b/.test(before)) return undefined;
  const found =
    /(?:^|\n)[ \t]*(from\b[^\n;]*(?:\\\r?\n[^\n;]*)*\bimport\b[ \t]*\([^)]*|(?:from|import)\b[^\n;]*(?:\\\r?\n[^\n;]*)*)$/.exec(
      withoutComments(before),
    );
  if (found === null) return undefined;
  return { before: found[1] ?? '', after: withoutComments(text.slice(end, end + longestImport)) };
}

const longestImport = 4_000;

const withoutComments = (code: string): string => code.replace(/#.*/g, '');

/** Whether an import may bring a function that checkpoints, by a name that says the word: the function's, or its module's. */
function mayBring({ before, after }: ImportAround, text: string): boolean {
  if (!before.startsWith('from')) return mayModuleMatter(before, after, text);
  // The name that is judged is what is imported, or what that is imported from.
  return /\bimport\b/.test(before) || mayAnyMatter(/^from[ \t]+torch\b/.test(before), after, text);
}

/** `import …`: by its whole name a module is judged where it is used. */
function mayModuleMatter(before: string, after: string, text: string): boolean {
  if (/\bdistributed\.$/.test(before)) return false;
  const alias = /^[\w.]*[ \t]+as[ \t]+(\w+)/.exec(after)?.[1];
  if (alias === undefined) return !/(?:\.|\bas[ \t]+)$/.test(before);
  return !saysWord.test(alias) || callsOf(text, alias).some((name) => !ofFiles.test(name));
}

/** `from … import`: whether anything comes from the module that is not judged by its own name. */
function mayAnyMatter(isTorch: boolean, after: string, text: string): boolean {
  const names = /^[\w.]*(?:[ \t]|\\\r?\n)*import\b[ \t]*(\([^)]*|[^\n;]*(?:\\\r?\n[^\n;]*)*)/.exec(after)?.[1];
  // It is still being typed.
  if (names === undefined) return true;
  return (names.replace(/\bas\s+\w+/g, '').match(/[\w*]+/g) ?? []).some((name) => {
    if (name === '*') return true;
    if (saysWord.test(name)) return false;
    if (isTorch) return name === 'CheckpointPolicy' && answersWithPolicy(text);
    return !/^[A-Z\d_]+$/.test(name) && !ofFiles.test(name);
  });
}

const callsOf = (text: string, module: string): string[] =>
  [...text.matchAll(new RegExp(`\\b${module}[ \\t]*\\.[ \\t]*(\\w+)[ \\t]*\\(`, 'g'))].map(([, name = '']) => name);

const saysWord = /checkpoint|ckpt/;
/** What else rules look at in torch's modules comes with a function that says the word; a policy stands for itself. */
const answersWithPolicy = (text: string): boolean =>
  /\bCheckpointPolicy[ \t]+as\b|\breturn\b(?:[^\n]*|[ \t]*\([^)]{0,300})\bCheckpointPolicy\b/.test(text);

/** What a module that says the word may have besides: functions and classes that write, find and read files. */
const ofFiles =
  /load|sav(?:e|ing)|resum|restor|writ|convert|migrat|path|director|file|folder|metadata|version|state_?dict|checkpoint(?:er|engine|manager|client)|modelcheckpoint/i;

/** `"gradient_checkpointing"`, `'--gradient-checkpointing'`. */
const isWholeString = (text: string, start: number, end: number): boolean =>
  /["'][\w.-]*$/.test(text.slice(Math.max(0, start - 80), start)) && /^[\w.-]*["']/.test(text.slice(end, end + 80));

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

/** What is longer was not written by a person. In UTF-16 units. */
const longestName = 200;
