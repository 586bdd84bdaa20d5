import { settingsTree } from '../../config/settingsTree.ts';
import { type ConfigMapping, mappingAt } from '../../config/tree.ts';
import { LineIndex } from '../../text/lineIndex.ts';
import type { Fact, Place } from '../facts.ts';
import { readDeepSpeed } from './deepspeed.ts';
import { readFsdp } from './fsdp.ts';
import { type Given, type GivenValue, givenInTree, overlaid, type PlaceOf } from './given.ts';
import { withLibraryDefaults } from './libraryDefaults.ts';
import { baseName, pathsMeant, type RunsAround } from './nearbyFiles.ts';
import { derived, joined, type SaidRun } from './said.ts';
import { mayBeSource, type SourceKind, sourceKind, sourceReaders } from './sourceKinds.ts';

/** A settings file as a source of facts. */
export interface SettingsSource {
  readonly kind: SourceKind;
  readonly path: string;
  readonly said: SaidRun;
  /** DeepSpeed runs it, by this file or one that it names. */
  readonly isDeepSpeed: boolean;
  /** Its first key. */
  readonly place: Place;
}

/** Files that name each other end here; only a circle is longer. */
const deepestNaming = 3;

/**
 * What a JSON, YAML or TOML file says about a run, together with the files it names and under the flags that change its
 * values. Undefined for somebody else's file.
 */
export function settingsSource(
  path: string,
  text: string,
  around: RunsAround,
  depth = 0,
  flags?: Given,
): SettingsSource | undefined {
  const root = mayBeSource(text) ? treeOf(path, text, around) : undefined;
  const kind = root && sourceKind(root);
  if (root === undefined || kind === undefined) return undefined;
  const placeOf = placesIn(text, around.placeName(path));
  const written = givenInTree(baseName(path), root, text, placeOf);
  const given = flags === undefined ? written : overlaid(flags, written);
  const own = withLibraryDefaults(sourceReaders[kind].read(given), kind, given, around.versions ?? {});
  const { said, isDeepSpeed } = withParts(own, written, { root, text, path, placeOf }, around, depth);
  const [first] = root.entries;
  const isPlugin = kind === 'accelerate' && /^deepspeed$/i.test(String(given.find('distributed_type')?.value));
  return {
    kind,
    path,
    said,
    isDeepSpeed: isDeepSpeed || isPlugin || kind === 'deepspeed',
    place: placeOf(first?.keyAt ?? { start: 0, end: 0 }),
  };
}

function treeOf(path: string, text: string, { parsed }: RunsAround): ConfigMapping | undefined {
  const before = parsed?.get(path);
  if (before !== undefined && before.text === text) return before.root;
  const root = settingsTree(path, text);
  parsed?.set(path, { text, root });
  return root;
}

/** Lines and columns are computed when a place is first asked for. */
export function placesIn(text: string, name: string): PlaceOf {
  let lines: LineIndex | undefined;
  return ({ start, end }) => {
    lines ??= new LineIndex(text);
    const { line, column } = lines.positionAt(start);
    return { path: name, span: { start, end }, line: line + 1, column: column + 1 };
  };
}

interface OpenTree {
  readonly root: ConfigMapping;
  readonly text: string;
  readonly path: string;
  readonly placeOf: PlaceOf;
}

/** Keys under which one file names another that belongs to the same run. */
const namingKeys = [
  'deepspeed',
  'deepspeed_config',
  'deepspeed_config_file',
  'deepspeed_config.deepspeed_config_file',
  'dist_config.config_file',
  'fsdp_config',
  'accelerate_config',
  'config_file',
];

function withParts(own: SaidRun, given: Given, tree: OpenTree, around: RunsAround, depth: number): NamedRun {
  const inPlace = mappingAt(tree.root, 'deepspeed');
  const inner = inPlace && readDeepSpeed(givenInTree(given.source, inPlace, tree.text, tree.placeOf));
  const named = partsNamed(given, namingKeys, tree.path, around, depth);
  const isDeepSpeed = inner !== undefined || named.isDeepSpeed;
  const sources = [own, ...(inner === undefined ? [] : [inner]), ...named.said];
  return { said: withDeepSpeed(sources, { isDeepSpeed, source: given.source }), isDeepSpeed };
}

interface NamedRun {
  readonly said: SaidRun;
  readonly isDeepSpeed: boolean;
}

export interface NamedParts {
  readonly said: readonly SaidRun[];
  readonly isDeepSpeed: boolean;
}

/** The settings files named under some keys or flags. One that is named and cannot be read is told in a note. */
export function partsNamed(
  given: Given,
  names: readonly string[],
  from: string,
  around: RunsAround,
  depth = 0,
): NamedParts {
  const { workspace } = around;
  if (workspace?.text === undefined || depth >= deepestNaming) return { said: [], isDeepSpeed: false };
  const said: SaidRun[] = [];
  let isDeepSpeed = false;
  for (const name of names) {
    const written = pathOf(given.find(name));
    if (typeof written !== 'string' || !/\.(json|ya?ml|toml|conf)$/i.test(written)) continue;
    const found = fileNamed(written, from, around);
    const source = found && settingsSource(found.path, found.text, around, depth + 1);
    if (source !== undefined) {
      said.push(source.said);
      isDeepSpeed ||= source.isDeepSpeed;
    } else if (found === undefined)
      said.push({ settings: {}, defaults: {}, notes: [`${written} was not found or cannot be read`] });
    else said.push(otherPart(name, found.path, found.text, around));
  }
  return { said, isDeepSpeed };
}

/** Of a path in a folder that is not known, the rest: it is looked for where all others are. */
const pathOf = (found: GivenValue | undefined): unknown => found?.value ?? found?.ending?.slice(1);

/** transformers' file for FSDP may hold anything that its plugin takes. */
function otherPart(name: string, path: string, text: string, around: RunsAround): SaidRun {
  const root = name === 'fsdp_config' ? settingsTree(path, text) : undefined;
  if (root === undefined) return { settings: {}, defaults: {}, notes: [] };
  return readFsdp(
    givenInTree(baseName(path), root, text, placesIn(text, around.placeName(path))),
    ['', 'fsdp_'],
    undefined,
  );
}

/** The text of a file that is named, with its path in the workspace. */
export function fileNamed(
  written: string,
  from: string,
  { workspace }: RunsAround,
): { readonly path: string; readonly text: string } | undefined {
  if (workspace?.text === undefined) return undefined;
  for (const path of pathsMeant({ written, from }, workspace)) {
    const text = path === from ? undefined : workspace.text(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

/**
 * DeepSpeed computes with weights in the low-precision type itself, so autocast has nothing to do. Where its file and the
 * trainer's arguments give different numbers, transformers refuses to start; that is told.
 */
export function withDeepSpeed(
  sources: readonly SaidRun[],
  { isDeepSpeed, source }: { readonly isDeepSpeed: boolean; readonly source: string },
): SaidRun {
  const all = joined(sources);
  if (!isDeepSpeed) return all;
  const { dataType, batch, gradientAccumulation } = all.settings;
  const isLow = dataType !== undefined && dataType.value !== 'fp32';
  const words = `DeepSpeed turns the weights into ${dataType?.value}`;
  const disagreeing = Object.entries({ batch, gradientAccumulation }).flatMap(([name, fact]) =>
    stated(fact).length === 0
      ? []
      : [
          `${source} and its DeepSpeed configuration disagree about ${wordsFor(name)}: ${[fact?.value, ...stated(fact)].join(' and ')}`,
        ],
  );
  return {
    ...all,
    settings: { ...all.settings, ...(isLow && { autocast: derived(false, words, dataType.origin) }) },
    notes: [...all.notes, ...disagreeing],
  };
}

/** What lost and stands in a settings file; a program's own default only gives way. */
const stated = (fact: Fact<unknown> | undefined): readonly unknown[] =>
  (fact?.lost ?? []).flatMap(({ value, origin }) =>
    'place' in origin && origin.place !== undefined && !origin.place.path.endsWith('.py') ? [value] : [],
  );

const wordsFor = (name: string): string => (name === 'batch' ? 'the micro-batch' : 'gradient accumulation');
