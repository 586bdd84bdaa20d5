import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsAbout } from '../../../../server/core/facts/configFiles/besideScript.ts';
import { type FoundRun, mostSpecific, runsOfText } from '../../../../server/core/facts/configFiles/runs.ts';
import type { Fact } from '../../../../server/core/facts/facts.ts';
import { sourceFile } from '../../../../server/core/workspace/sourceFile.ts';
import type { SourceFile, Workspace } from '../../../../server/core/workspace/workspace.ts';
import { parsePython } from '../../../support/python.ts';
import { flat, told } from '../check.ts';

/** Texts by path below the project's folder; runs are read from the first one. A first line break does not count. */
export type Files = Readonly<Record<string, string>>;

/** By name of a fact; `model` is the model's name, `title` the run's; `lost` what lost against each value. */
export interface Expected {
  readonly run?: number;
  readonly notes?: readonly RegExp[];
  readonly lost?: Readonly<Record<string, readonly unknown[]>>;
  readonly [fact: string]:
    | string
    | number
    | readonly RegExp[]
    | Readonly<Record<string, readonly unknown[]>>
    | undefined;
}

const root = '/project';

/** One project and what must be read of its run (the most specific one, or the one of a number). */
export function tells(title: string, files: Files, expected: Expected | 'nothing'): void {
  test(title, () => {
    const runs = runsOf(files);
    if (expected === 'nothing')
      return assert.deepEqual(
        runs.map((run) => run.title),
        [],
      );
    const { run: number, notes, lost, title: name, ...values } = expected;
    const run = number === undefined ? mostSpecific(runs) : runs[number - 1];
    assert.ok(run !== undefined, 'there is no such run');
    placesAreTrue(run, files);
    if (name !== undefined) assert.equal(run.title, name);
    const { facts } = run;
    const all: Record<string, Fact<unknown> | undefined> = flat(facts);
    if (facts.namedModel !== undefined) all.name = facts.namedModel;
    const found = Object.keys(values).map((key) => [
      key,
      all[key] && toldWithFile(all[key], Object.keys(files)[0] ?? ''),
    ]);
    assert.deepEqual(Object.fromEntries(found), values);
    for (const [key, beaten] of Object.entries(lost ?? {}))
      assert.deepEqual(
        all[key]?.lost?.map(({ value }) => value),
        beaten,
        key,
      );
    for (const note of notes ?? [])
      assert.ok(
        facts.notes.some((one) => note.test(one)),
        `${note} in ${facts.notes.join(' | ')}`,
      );
    return undefined;
  });
}

export function runsOf(files: Files): readonly FoundRun[] {
  const workspace = workspaceOf(files);
  const [first = ''] = Object.keys(files);
  const path = `${root}/${first}`;
  const around = { workspace, placeName: (other: string) => other.slice(root.length + 1) };
  if (!first.endsWith('.py')) return runsOfText(path, workspace.text?.(path) ?? '', around);
  const file = workspace.file(path);
  assert.ok(file !== undefined);
  return runsAbout(file, around);
}

function workspaceOf(files: Files): Workspace {
  const opened = new Map<string, SourceFile>();
  const textOf = (path: string): string | undefined => files[path.slice(root.length + 1)]?.replace(/^\n/, '');
  const workspace: Workspace = {
    roots: [root],
    text: (path) => (path.endsWith('.py') ? undefined : textOf(path)),
    file(path) {
      const known = opened.get(path);
      const text = path.endsWith('.py') ? textOf(path) : undefined;
      if (known !== undefined || text === undefined) return known;
      const file = sourceFile(path, parsePython(text), workspace);
      opened.set(path, file);
      return file;
    },
    names(folder) {
      const inside = Object.keys(files).filter((path) => `${root}/${path}`.startsWith(`${folder}/`));
      return [...new Set(inside.map((path) => `${root}/${path}`.slice(folder.length + 1).split('/')[0] ?? ''))];
    },
  };
  return workspace;
}

function toldWithFile(fact: Fact<unknown>, own: string): string {
  const path = 'place' in fact.origin ? fact.origin.place?.path : undefined;
  return path === undefined || path === own ? told(fact) : `${told(fact)} in ${path}`;
}

/** Every place is in a file that there is, on its line, and a literal number's place holds the number. */
function placesAreTrue({ facts, place }: FoundRun, files: Files): void {
  assert.ok(files[place.path] !== undefined, `the run is told to be in ${place.path}`);
  for (const [name, { value, origin }] of Object.entries(flat(facts))) {
    if (!('place' in origin) || origin.place === undefined) continue;
    const { path, span, line, column } = origin.place;
    const text = files[path]?.replace(/^\n/, '');
    assert.ok(text !== undefined, `${name} is told to be in ${path}`);
    const before = text.slice(0, span.start).split('\n');
    assert.deepEqual([line, column], [before.length, (before.at(-1) ?? '').length + 1], name);
    const written = text.slice(span.start, span.end);
    assert.notEqual(written.trim(), '', name);
    if (origin.kind === 'literal' && typeof value === 'number' && /^[\d_.e-]+$/i.test(written))
      assert.equal(Number(written.replaceAll('_', '')), value, name);
  }
}
