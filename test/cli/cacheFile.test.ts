import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readCacheFile, writeCacheFile } from '../../server/scan/cache/cacheFile.ts';
import { type KeptResults, noResults, readResults, writeResults } from '../../server/scan/cache/storedResults.ts';
import { folderWith } from './support/folder.ts';

const minutesAgo = (minutes: number): Date => new Date(Date.now() - 60_000 * minutes);

test('all that is kept stays below its bound, and what was written longest ago goes', (context) => {
  const { path: cache } = folderWith(context, {});
  const at = (name: string): string => path.join(cache, name);
  for (const [name, minutes] of [
    ['oldest.json', 3],
    ['older.json', 2],
    ['newer.json', 1],
  ] as const) {
    writeFileSync(at(name), '');
    truncateSync(at(name), 25_000_000);
    utimesSync(at(name), minutesAgo(minutes), minutesAgo(minutes));
  }
  writeCacheFile(at('now.json'), { kept: true });
  assert.deepEqual(readdirSync(cache).sort(), ['newer.json', 'now.json', 'older.json']);
  assert.deepEqual(readCacheFile(at('now.json')), { kept: true });
});

test('what is too large for a cache is not kept, and what was there stays', (context) => {
  const { path: cache } = folderWith(context, {});
  const file = path.join(cache, 'a.json');
  writeCacheFile(file, 'before');
  writeCacheFile(file, 'x'.repeat(33_000_000));
  assert.equal(readCacheFile(file), 'before');
  assert.deepEqual(readdirSync(cache), ['a.json']);
});

test('what a killed process has left half written goes after a minute, and what is being written stays', (context) => {
  const { path: cache } = folderWith(context, { 'a.json.1.tmp': 'half', 'b.json.2.tmp': 'half' });
  utimesSync(path.join(cache, 'a.json.1.tmp'), minutesAgo(2), minutesAgo(2));
  writeCacheFile(path.join(cache, 'c.json'), 1);
  assert.deepEqual(readdirSync(cache).sort(), ['b.json.2.tmp', 'c.json']);
});

test('a cache that cannot be written or read is none', (context) => {
  const folder = folderWith(context, { file: '' });
  const file = path.join(folder.at('file'), 'a.json');
  writeCacheFile(file, 1);
  assert.equal(readCacheFile(file), undefined);
  for (const content of ['', '\n', 'no hash\n1', '{"a": 1}']) {
    writeFileSync(folder.at('file'), content);
    assert.equal(readCacheFile(folder.at('file')), undefined, content);
  }
  assert.deepEqual(readResults(folder.at('file')), noResults());
});

test('every byte that is another one makes it none', (context) => {
  const { path: cache } = folderWith(context, {});
  const file = path.join(cache, 'a.json');
  writeCacheFile(file, { some: ['content', 1] });
  const bytes = readFileSync(file);
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    writeFileSync(file, changed);
    assert.equal(readCacheFile(file), undefined, String(index));
  }
});

test('what is read is what was written', (context) => {
  const { path: cache } = folderWith(context, {});
  const file = path.join(cache, 'a.json');
  const at = { start: 1, end: 2 };
  const diagnostic = {
    code: 'AC101',
    name: 'x',
    severity: 'error',
    at,
    about: at,
    message: 'é “x”',
    fixes: [],
  } as const;
  const kept: KeptResults = {
    results: new Map([
      ['/work/a.py', { content: '1', around: '[]', diagnostics: [diagnostic], stamp: '1 2 3' }],
      ['/work/a b.py', { content: '2', around: '[]', diagnostics: [], stamp: undefined }],
    ]),
    irrelevant: new Map([['/work/é.py', '4 5 6']]),
    asked: new Map([['/work/a.py', ['/work/x.py', '/work/pkg', '/other']]]),
    states: new Map([
      ['/work/x.py', { seen: 'file 1', roots: '["/work"]', stamp: '7', under: undefined }],
      ['/work/pkg', { seen: 'nothing', roots: undefined, stamp: undefined, under: '/work' }],
    ]),
    folders: new Map([['/work', '8']]),
  };
  writeResults(file, kept);
  assert.deepEqual(readResults(file), kept);
});
