import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Fact } from '../../../server/core/facts/facts.ts';
import { factsOf, flat } from './check.ts';

const scripts = ['train.py', 'model.py'].map((name) => readFileSync(`test/corpus/demo/${name}`, 'utf8'));

/** A literal that is told stands at its place, whatever the rest of the file looks like. */
function literalsAreThere(text: string): void {
  const facts = factsOf(text);
  const all: Record<string, Fact<unknown>> = facts === undefined ? {} : flat(facts);
  for (const [name, { value, origin }] of Object.entries(all)) {
    if (origin.kind !== 'literal' || typeof value !== 'number') continue;
    const written = text.slice(origin.place.span.start, origin.place.span.end);
    assert.equal(Number(written.replaceAll('_', '')), value, name);
  }
}

test('files that end anywhere are read without a fault', () => {
  for (const script of scripts)
    for (let end = 0; end < script.length; end += 97) literalsAreThere(script.slice(0, end));
});

test('files that miss lines, quotes or brackets are read without a fault', () => {
  for (const script of scripts) {
    const lines = script.split('\n');
    for (let index = 0; index < lines.length; index += 3) literalsAreThere(lines.toSpliced(index, 1).join('\n'));
    for (const mark of ['"', '(', ')', ':', ',']) literalsAreThere(script.replace(mark, ''));
  }
});

test('circles and deep nesting end', () => {
  const use = 'from transformers import GPT2Config\nconfig = GPT2Config(n_layer=a, **b)\n';
  for (const text of [
    'a = b\nb = a\n',
    'b = dict(**b)\na = b["a"]\n',
    'class B(B):\n    a = B.a\nb = B\na = b.a\n',
    'def f(b):\n    return f(b)\nb = f(b)\na = b.a\n',
    'b = {"a": 1}\nb.update(b)\na = b["a"] + b["a"]\n',
    `a = ${'1 + '.repeat(400)}1\nb = {}\n`,
    `a = ${'['.repeat(120)}${']'.repeat(120)}\nb = {}\n`,
    `${Array.from({ length: 60 }, (_, n) => `if x${n}:\n    v${n + 1} = v${n}\nelse:\n    v${n + 1} = v${n} + v${n}\n`).join('')}a = v60\nb = v60\n`,
  ])
    assert.doesNotThrow(() => factsOf(text + use));
});

test('a long file without a word about models costs next to nothing', () => {
  const text = 'x = compute(1, 2)\n'.repeat(20_000);
  const started = performance.now();
  assert.equal(factsOf(text.slice(0, 180_000)), undefined);
  assert.ok(performance.now() - started < 20_000);
});
