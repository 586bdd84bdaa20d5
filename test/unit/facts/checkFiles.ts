import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectRun } from '../../../server/core/facts/detectRun.ts';
import type { Fact, RunFacts } from '../../../server/core/facts/facts.ts';
import type { Versions } from '../../../server/core/torch/version.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import type { SourceFile, Workspace } from '../../../server/core/workspace/workspace.ts';
import { parsePython } from '../../support/python.ts';
import { type Expected, flat, told } from './check.ts';

/** Texts by path below the project's folder; the run is read from `train.py`. */
export type Files = Readonly<Record<string, string>>;

/** A script among other files. Places in another file end in its path: `24 @3:30 in conf/model.json`. */
export function readsAmong(title: string, files: Files, expected: Expected, versions: Versions = {}): void {
  test(title, () => {
    const facts = factsAmong(files, versions);
    assert.ok(facts !== undefined, 'nothing was read');
    const { notes, model, ...values } = expected;
    if (model !== undefined) assert.equal(facts.model === undefined ? 'none' : 'known', model);
    const all = flat(facts);
    const found = Object.fromEntries(Object.keys(values).map((name) => [name, all[name] && toldWithFile(all[name])]));
    assert.deepEqual(found, values);
    for (const note of notes ?? [])
      assert.ok(
        facts.notes.some((one) => note.test(one)),
        `${note} in ${facts.notes.join(' | ')}`,
      );
  });
}

const root = '/project';

export function factsAmong(files: Files, versions: Versions = {}): RunFacts | undefined {
  const opened = new Map<string, SourceFile>();
  const textOf = (path: string): string | undefined =>
    path.startsWith(`${root}/`) ? files[path.slice(root.length + 1)]?.replace(/^\n/, '') : undefined;
  const workspace: Workspace = {
    roots: [root],
    text: textOf,
    file(path) {
      const known = opened.get(path);
      const text = textOf(path);
      if (known !== undefined || text === undefined) return known;
      const file = sourceFile(path, parsePython(text), workspace);
      opened.set(path, file);
      return file;
    },
  };
  const path = `${root}/train.py`;
  const file = workspace.file(path);
  assert.ok(file !== undefined, 'there is no train.py');
  const placeName = (other: string): string => other.slice(root.length + 1);
  const facts = detectRun(file.module, file.names, 'train.py', { workspace, file: path, placeName, versions });
  if (facts !== undefined) placesAreTrue(facts, files);
  return facts;
}

function toldWithFile(fact: Fact<unknown>): string {
  const path = 'place' in fact.origin ? fact.origin.place?.path : undefined;
  return path === undefined || path === 'train.py' ? told(fact) : `${told(fact)} in ${path}`;
}

/** Every place is in a file that there is, and a literal's place holds the literal. */
function placesAreTrue(facts: RunFacts, files: Files): void {
  for (const [name, fact] of Object.entries(flat(facts))) {
    if (fact === undefined || !('place' in fact.origin) || fact.origin.place === undefined) continue;
    const { path, span, line } = fact.origin.place;
    const text = files[path]?.replace(/^\n/, '');
    assert.ok(text !== undefined, `${name} is told to be in ${path}`);
    assert.equal(text.slice(0, span.start).split('\n').length, line, name);
    const written = text.slice(span.start, span.end);
    if (fact.origin.kind === 'literal' && typeof fact.value === 'number' && /^[\d_.e-]+$/i.test(written))
      assert.equal(Number(written.replaceAll('_', '')), fact.value, name);
  }
}
