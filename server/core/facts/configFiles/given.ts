import type { FlagList, FlagWord } from '../../config/flags.ts';
import type { ConfigEntry, ConfigNode } from '../../config/tree.ts';
import type { Span } from '../../text/span.ts';
import type { Origin, Place } from '../facts.ts';
import { interpolated, type ReadScalar } from './interpolation.ts';

export type GivenContent = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** One value that a source gives under a name. */
export interface GivenValue {
  /** As it is written. */
  readonly name: string;
  /** Undefined where something stands there that could not be read. */
  readonly value: GivenContent | undefined;
  readonly place: Place;
  /** What it hangs on beyond the file: an environment variable. */
  readonly supposing?: string;
  /** The computation in words, where it is not a plain literal. */
  readonly from?: string;
  /** Of a path whose folder is not known. */
  readonly ending?: string;
  /** Given before under the same name, and replaced. */
  readonly earlier?: readonly GivenValue[];
}

/**
 * Values by name, whatever they were written in: keys of a configuration file, flags of a command line. Names are paths
 * with dots; of several names the first that is given counts. What could not be read is told in `notes`.
 */
export interface Given {
  /** How messages call it: a file's name. */
  readonly source: string;
  /** A single value or a list; what has keys of its own is passed over. */
  find(...names: readonly string[]): GivenValue | undefined;
  /** Where a key with keys below it stands. */
  section(path: string): Place | undefined;
  /** Names directly below a path; of everything for an empty one. */
  names(path: string): readonly string[];
  readonly notes: string[];
}

export type PlaceOf = (span: Span) => Place;

/** Values of a file under flags of the same names, which replace them. */
export const overlaid = (flags: Given, file: Given): Given => ({
  ...file,
  find(...names) {
    for (const name of names) {
      const [over, written] = [flags.find(name), file.find(name)];
      if (over === undefined && written !== undefined) return written;
      if (over !== undefined)
        return written === undefined ? over : { ...over, earlier: [written, ...(over.earlier ?? [])] };
    }
    return undefined;
  },
});

/** The same values where a name may also stand in one of these groups: `training.batch_size`, `--peft_config.r`. */
export const grouped = (given: Given, groups: readonly string[]): Given => ({
  ...given,
  find: (...names) => given.find(...names.flatMap((name) => [name, ...groups.map((group) => `${group}.${name}`)])),
});

/** Keys of a tree by their paths, `fsdp_config.activation_checkpointing`. Texts such as `${model.dim}` are followed. */
export function givenInTree(source: string, root: ConfigNode, text: string, placeOf: PlaceOf): Given {
  const notes: string[] = [];
  const givenValue = (name: string, entry: ConfigEntry): GivenValue => {
    const node = entry.value.kind === 'unknown' ? (interpolated(root, text, entry.value) ?? entry.value) : entry.value;
    const span = node.start < node.end ? node : entry.keyAt;
    const beyond = node.kind === 'scalar' ? (node as ReadScalar) : undefined;
    return {
      name,
      value: contentOf(node),
      place: placeOf(span),
      ...(beyond?.supposing !== undefined && { supposing: beyond.supposing }),
      ...(beyond?.from !== undefined && { from: beyond.from }),
    };
  };
  return {
    source,
    notes,
    find(...names) {
      for (const name of names) {
        const entries = entriesAt(root, name.split('.'));
        const last = entries.at(-1);
        if (last === undefined || last.value.kind === 'mapping') continue;
        const earlier = entries
          .slice(0, -1)
          .filter(({ value }) => value.kind !== 'mapping')
          .map((entry) => givenValue(name, entry));
        return { ...givenValue(name, last), ...(earlier.length > 0 && { earlier: earlier.reverse() }) };
      }
      return undefined;
    },
    section(path) {
      const entry = entriesAt(root, path.split('.')).at(-1);
      return entry?.value.kind === 'mapping' ? placeOf(entry.keyAt) : undefined;
    },
    names(path) {
      const node = path === '' ? root : entriesAt(root, path.split('.')).at(-1)?.value;
      return node?.kind === 'mapping' ? [...new Set(node.entries.map(({ key }) => key))] : [];
    },
  };
}

/** All entries under the last key of a path; of repeated keys on the way the last one counts. A key may hold dots itself. */
function entriesAt(root: ConfigNode, path: readonly string[]): readonly ConfigEntry[] {
  let current: ConfigNode | undefined = root;
  for (const [index, key] of path.entries()) {
    if (current?.kind !== 'mapping') return [];
    const entries: readonly ConfigEntry[] = current.entries.filter((entry) => entry.key === key);
    if (index === path.length - 1) return entries;
    current = entries.at(-1)?.value;
  }
  return [];
}

/** Lists of lists are flat: `[[["flash"], 24]]`. */
function contentOf(node: ConfigNode, depth = 0): GivenContent | undefined {
  if (node.kind === 'scalar') return node.value;
  if (node.kind !== 'sequence' || depth > deepestList) return undefined;
  const items = node.items.map((item) => contentOf(item, depth + 1));
  return items.every((item) => item !== undefined) ? items.flat() : undefined;
}

const deepestList = 3;

/**
 * `--name value`, `--name=value`, `--name`, and `name=value` (`+name=value`) without dashes, as Hydra takes it. Dashes and
 * underscores are the same; the last of a name counts.
 */
export function givenInFlags(source: string, flags: FlagList, placeOf: PlaceOf): Given {
  const byName = new Map<string, GivenValue>();
  const add = (written: string, value: Omit<GivenValue, 'name' | 'place'>, span: Span): void => {
    const name = plainName(written);
    const before = byName.get(name);
    const earlier = before && [before, ...(before.earlier ?? [])];
    byName.set(name, { name: written, ...value, place: placeOf(span), ...(earlier && { earlier }) });
  };
  const { words } = flags;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    const text = word?.text ?? word?.supposed;
    if (word === undefined || text === undefined) continue;
    const [, name, given] = /^(--?[A-Za-z][\w.-]*|\+{0,2}[A-Za-z_][\w.@/-]*)=([\s\S]*)$/.exec(text) ?? [];
    if (name !== undefined && given !== undefined) {
      const start = word.at.start + name.length + 1;
      const span = start < word.at.end ? { start, end: word.at.end } : word.at;
      add(name, contentOfWord(word.text === undefined ? { supposed: given } : { ...word, text: given }), span);
    } else if (word.text !== undefined && isFlag(word.text)) {
      const values = [];
      for (let next = words[index + 1]; next !== undefined && !endsValues(next.text); next = words[index + 1]) {
        values.push(next);
        index++;
      }
      const [first] = values;
      if (first === undefined) add(word.text, { value: true }, word.at);
      else add(word.text, values.length === 1 ? contentOfWord(first) : { value: listOf(values) }, first.at);
    }
  }
  return {
    source,
    notes: [],
    find(...names) {
      for (const name of names) {
        const found = byName.get(plainName(name)) ?? insideJson(byName, name);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    section: () => undefined,
    names: (path) => (path === '' ? [...byName.keys()] : []),
  };
}

const plainName = (name: string): string => name.replace(/^[-+]+/, '').replaceAll('-', '_');

/** Another flag, or a setting that is assigned: `--config base.yaml batch_size=8`. */
const endsValues = (text: string | undefined): boolean =>
  isFlag(text) || (text !== undefined && /^\+{0,2}[A-Za-z_][\w.@/]*=/.test(text));

/** A negative number is no flag. */
const isFlag = (text: string | undefined): boolean => text !== undefined && /^--?[A-Za-z]/.test(text);

/** The first value counts where a program takes one; the rest may be positional arguments. */
function listOf(words: readonly { readonly text: string | undefined }[]): GivenContent | undefined {
  const texts = words.map(({ text }) => text);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function contentOfWord(word: Pick<FlagWord, 'supposed'> & Partial<FlagWord>): Omit<GivenValue, 'name' | 'place'> {
  const text = word.text ?? word.supposed;
  if (text === undefined || text.includes('${'))
    return { value: undefined, ...(word.ending !== undefined && { ending: word.ending }) };
  const supposing = word.text === undefined ? { supposing: 'unless the script is given another value' } : {};
  return { value: contentOfText(text), ...supposing, ...(word.computed !== undefined && { from: word.computed }) };
}

function contentOfText(text: string): GivenContent {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (/^(none|null)$/i.test(text)) return null;
  const digits = text.replaceAll('_', '');
  return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(digits) ? Number(digits) : text;
}

/** `--gradient_checkpointing_kwargs '{"use_reentrant": false}'` gives `gradient_checkpointing_kwargs.use_reentrant`. */
function insideJson(byName: ReadonlyMap<string, GivenValue>, name: string): GivenValue | undefined {
  const [owner = '', key = '', ...deeper] = name.split('.');
  const whole = deeper.length === 0 && key !== '' ? byName.get(plainName(owner)) : undefined;
  if (typeof whole?.value !== 'string' || !whole.value.startsWith('{')) return undefined;
  try {
    const object: unknown = JSON.parse(whole.value);
    const value = typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[key] : undefined;
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return isPlain ? { name, value: value as GivenContent, place: whole.place } : undefined;
  } catch {
    return undefined;
  }
}

/** A value that hangs on something outside the file is not claimed to be just what is written. */
export function originOfGiven({ value, place, supposing, from }: GivenValue): Origin {
  if (supposing === undefined && from === undefined) return { kind: 'literal', place };
  const words = from ?? String(value);
  return { kind: 'derived', from: supposing === undefined ? words : `${words}, ${supposing}`, place };
}
