import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parserFiles, startWorker, workerServer } from '../support/workerServer.ts';

const training = 'from pkg.outer import run  # checkpoint\ny = run(f, x)\n';
const outer = 'from .inner import run  # checkpoint\n';
const reentrant = 'from torch.utils.checkpoint import checkpoint as run\n';
const other = 'def run(f, x):\n    return f(x)\n';
const uri = 'file:///w/demo/train.py';
const inFolder = (name: string): string => `file:///w/demo/${name}`;

test('a server in a worker needs nothing of Node', async () => {
  const server = await workerServer(new Map());
  server.open(uri, 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n');
  await server.untilCodes(uri, 'AC101');
});

test('a worker without its parser says why', async () => {
  const { ready } = await startWorker({ ...parserFiles, grammar: 'https://localhost/absent' }, () => undefined);
  assert.match(ready.failed ?? '', /absent: 404/);
});

test('a server in a worker follows names into files that the client reads for it', async () => {
  const files = new Map([
    ['pkg/__init__.py', ''],
    ['pkg/outer.py', outer],
    ['pkg/inner.py', reentrant],
  ]);
  const server = await workerServer(files);
  server.open(uri, training);
  await server.untilCodes(uri, 'AC101');
  const everything = server.asked.flat();
  assert.deepEqual(everything, [...new Set(everything)], 'nothing is read twice');

  files.set('pkg/inner.py', other);
  server.changed(inFolder('pkg/inner.py'));
  await server.untilCodes(uri);

  files.set('pkg/inner.py', reentrant);
  server.changed(inFolder('pkg/inner.py'));
  await server.untilCodes(uri, 'AC101');

  files.delete('pkg/inner.py');
  server.changed(inFolder('pkg/inner.py'));
  await server.untilCodes(uri);
});

test('a server in a worker learns versions from files that the client reads for it', async () => {
  const files = new Map([['train.py', '']]);
  const server = await workerServer(files);
  server.open(uri, 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n');
  await server.untilCodes(uri, 'AC101');
  // The option came with 1.11.
  files.set('requirements.txt', 'torch==1.10.0\n');
  server.changed(inFolder('requirements.txt'));
  await server.untilCodes(uri);
});

test('a file in a folder that was not there is noticed', async () => {
  const files = new Map([['train.py', '']]);
  const server = await workerServer(files);
  server.open(uri, training);
  await server.untilCodes(uri);
  files.set('pkg/outer.py', reentrant);
  server.changed(inFolder('pkg/outer.py'));
  await server.untilCodes(uri, 'AC101');
});

test('nothing outside the folders is asked for', async () => {
  const server = await workerServer(new Map([['train.py', '']]));
  server.open(uri, 'import torch, os  # checkpoint\nfrom .. import above\nopen("/etc/config.json")\n');
  await server.untilCodes(uri);
  for (const asked of server.asked.flat()) assert.match(asked, /^file:\/\/\/w\/demo/);
});
