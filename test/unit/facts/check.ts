import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectRun } from '../../../server/core/facts/detectRun.ts';
import type { Fact, RunFacts } from '../../../server/core/facts/facts.ts';
import { namesOf } from '../../../server/core/python/names.ts';
import { modelFactsByName } from '../../../server/core/report/budgetReport.ts';
import { torchKnowledge } from '../../../server/core/torch/checkpointApi.ts';
import { parsePython } from '../../support/python.ts';

export function factsOf(text: string): RunFacts | undefined {
  const module = parsePython(text);
  return detectRun(module, namesOf(module, torchKnowledge), 'train.py');
}

/** `24 @3:30` for a literal on line 3, column 30; else the kind and what it says, and the place where there is one. */
export function told(fact: Fact<unknown>): string {
  const { value, origin } = fact;
  const place = 'place' in origin && origin.place ? ` @${origin.place.line}:${origin.place.column}` : '';
  const words = typeof value === 'object' ? Object.values(value ?? {}).join(' ') : String(value);
  switch (origin.kind) {
    case 'literal':
      return `${words}${place}`;
    case 'registry':
      return `${words} of ${origin.model}${place}`;
    case 'default':
      return `${words} default ${origin.library} ${origin.what}`;
    case 'derived':
      return `${words} = ${origin.from}${place}`;
    case 'assumed':
      return `${words} assumed`;
    case 'chosen':
      return `${words} chosen ${origin.by}`;
  }
}

/** By name of a model's or a run's fact; `model: 'none'` where no model may be claimed. Notes must match one each. */
export interface Expected {
  readonly notes?: readonly RegExp[];
  readonly [fact: string]: string | readonly RegExp[] | undefined;
}

/** One small program and what must be read from it. The first line break of the text does not count. */
export function reads(title: string, python: string, expected: Expected | 'nothing'): void {
  const text = python.replace(/^\n/, '');
  test(title, () => {
    const facts = factsOf(text);
    if (expected === 'nothing') return assert.equal(facts, undefined);
    assert.ok(facts !== undefined, 'nothing was read');
    const all: Record<string, Fact<unknown> | undefined> = flat(facts);
    placesAreTrue(text, all);
    const { notes, model, ...values } = expected;
    if (model !== undefined) assert.equal(facts.model === undefined ? 'none' : 'known', model);
    const found = Object.fromEntries(Object.keys(values).map((name) => [name, all[name] && told(all[name])]));
    assert.deepEqual(found, values);
    for (const note of notes ?? [])
      assert.ok(
        facts.notes.some((one) => note.test(one)),
        `${note} in ${facts.notes.join(' | ')}`,
      );
    return undefined;
  });
}

/** Lines and columns are those of the span, and a literal's span holds the literal. */
function placesAreTrue(text: string, facts: Record<string, Fact<unknown> | undefined>): void {
  for (const [name, fact] of Object.entries(facts)) {
    if (fact === undefined || !('place' in fact.origin) || fact.origin.place === undefined) continue;
    const { span, line, column, path } = fact.origin.place;
    const before = text.slice(0, span.start).split(/\r\n|\r|\n/);
    assert.deepEqual([line, column, path], [before.length, (before.at(-1) ?? '').length + 1, 'train.py'], name);
    const written = text.slice(span.start, span.end);
    assert.notEqual(written.trim(), '', name);
    if (fact.origin.kind === 'literal' && typeof fact.value === 'number' && /^[\d_.e-]+$/i.test(written))
      assert.equal(Number(written.replaceAll('_', '')), fact.value, name);
  }
}

/** All facts of a run by name, those that only the model's family has among them. */
export function flat({ model, run }: RunFacts): Record<string, Fact<unknown>> {
  const ofModel = model === undefined ? {} : Object.fromEntries(modelFactsByName(model));
  return { ...ofModel, ...run } as Record<string, Fact<unknown>>;
}
