import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeArguments } from '../../../server/core/lint/removeArguments.ts';
import { expressionsOf } from '../../../server/core/python/walk.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { parsePython } from '../../support/python.ts';

function without(text: string, ...names: string[]): string {
  const module = parsePython(text);
  for (const expression of expressionsOf(module)) {
    if (expression.kind !== 'call') continue;
    const unwanted = expression.arguments.filter((one) => one.kind === 'keyword' && names.includes(one.name.name));
    return applyEdits(text, removeArguments(module, expression, unwanted));
  }
  throw new Error('no call');
}

test('an argument goes with the comma it no longer needs', () => {
  assert.equal(without('f(a, b=1, c=2)\n', 'b'), 'f(a, c=2)\n');
  assert.equal(without('f(a, b=1)\n', 'b'), 'f(a)\n');
  assert.equal(without('f(b=1)\n', 'b'), 'f()\n');
  assert.equal(without('f(b=1, c=2)\n', 'b'), 'f(c=2)\n');
  assert.equal(without('f(a, b=1,)\n', 'b'), 'f(a, )\n');
});

test('neighbours go together, others on their own', () => {
  assert.equal(without('f(a, b=1, c=2)\n', 'b', 'c'), 'f(a)\n');
  assert.equal(without('f(b=1, a=0, c=2)\n', 'b', 'c'), 'f(a=0)\n');
});

test('an argument that has its line for itself goes with the line', () => {
  assert.equal(without('f(\n    a,  # x\n    b=1,  # y\n    c=2,\n)\n', 'b'), 'f(\n    a,  # x\n    c=2,\n)\n');
  assert.equal(without('f(\n    a,\n    b=1\n)\n', 'b'), 'f(\n    a,\n)\n');
  assert.equal(without('f(\r\n    a,\r\n    b=1,\r\n)\r\n', 'b'), 'f(\r\n    a,\r\n)\r\n');
});

test('a comma in a comment is no comma', () => {
  assert.equal(without('f(a, b=1  # one, two\n)\n', 'b'), 'f(a  # one, two\n)\n');
});
