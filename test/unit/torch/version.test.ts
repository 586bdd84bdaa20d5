import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAtLeast, isBefore, parseVersion, versionText } from '../../../server/core/torch/version.ts';

const written: readonly [text: string, expected: string | undefined][] = [
  ['2.13', '2.13'],
  ['2.13.0+cu128', '2.13.0'],
  ['v2.4.1rc1', '2.4.1'],
  ['3', '3.0'],
  ['2.4.dev20240101', '2.4'],
  ['main', undefined],
];

for (const [text, expected] of written) {
  test(`version ${text} reads as ${expected}`, () => {
    const version = parseVersion(text);
    assert.equal(version === undefined ? undefined : versionText(version), expected);
  });
}

const repaired = [0, 19, 3] as const;
const order: readonly [text: string, isOlder: boolean][] = [
  ['0.18.9', true],
  ['0.19.2', true],
  ['0.19.2rc1', true],
  ['0.19.3', false],
  ['0.19.10', false],
  ['0.20.0', false],
  ['1.0.0', false],
  // Which patch of the line is installed nobody said.
  ['0.19', false],
  ['0.18', true],
];

for (const [text, isOlder] of order) {
  test(`${text} is ${isOlder ? '' : 'not '}before ${repaired.join('.')}`, () =>
    assert.equal(isBefore(parseVersion(text), ...repaired), isOlder));
}

test('a release line is not before itself, whatever its patch', () => {
  for (const text of ['2.13', '2.13.0', '2.13.1']) assert.equal(isBefore(parseVersion(text), 2, 13), false);
});

test('an unknown version counts as current', () => assert.equal(isBefore(undefined, 99, 0), false));

test('only what is known is certainly at least a version', () => {
  const certain = (text: string): boolean => isAtLeast(parseVersion(text), ...repaired);
  assert.deepEqual(['0.19', '0.19.2', '0.19.3', '0.20', 'main'].map(certain), [false, false, true, true, false]);
});
