import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentToChange } from '../../server/core/apply/documentToChange.ts';
import {
  canUndo,
  initialState,
  keptPart,
  undone,
  whatIfOf,
  withOpen,
  withoutWhatIf,
  withUnits,
  withWhatIf,
} from '../../webview/store.ts';
import { facts, model, shown, withShown, written } from './sample.ts';

const start = withShown(initialState(), shown);

test('what-ifs add up and go one by one or all at once', () => {
  const tried = withWhatIf(withWhatIf(start, { batch: 16 }), { segment: 4 });
  assert.deepEqual(whatIfOf(tried), { batch: 16, segment: 4 });
  assert.deepEqual(whatIfOf(withoutWhatIf(tried, 'batch')), { segment: 4 });
  assert.deepEqual(whatIfOf(withoutWhatIf(tried)), {});
  assert.deepEqual(withoutWhatIf(tried).whatIfs, {});
});

test('a what-if set back to the code’s value is none', () => {
  assert.deepEqual(whatIfOf(withWhatIf(withWhatIf(start, { batch: 16 }), { batch: 8 })), {});
});

test('each document keeps its own what-ifs', () => {
  const tried = withWhatIf(start, { batch: 16 });
  const elsewhere = withShown(tried, { ...shown, uri: 'file:///project/other.py' });
  assert.deepEqual(whatIfOf(elsewhere), {});
  assert.deepEqual(whatIfOf(withShown(elsewhere, shown)), { batch: 16 });
});

test('each run of a document keeps its own what-ifs', () => {
  const runs = [
    { id: 'a', title: 'train.py' },
    { id: 'b', title: 'launch.sh: train.py' },
  ];
  const first = withShown(start, { ...shown, runs, chosenRun: 'a' });
  const tried = withWhatIf(first, { batch: 16 });
  const second = withShown(tried, { ...shown, runs, chosenRun: 'b' });
  assert.deepEqual(whatIfOf(second), {});
  assert.deepEqual(whatIfOf(withShown(second, { ...shown, runs, chosenRun: 'a' })), { batch: 16 });
});

test('a what-if survives an edit of the code around it', () => {
  const tried = withWhatIf(start, { batch: 16 });
  const edited = withShown(tried, { ...shown, facts: { ...facts, run: { ...facts.run, sequence: written(512, 2) } } });
  assert.deepEqual(whatIfOf(edited), { batch: 16 });
});

test('without a document nothing can be tried', () => {
  assert.deepEqual(withWhatIf(initialState(), { batch: 16 }).whatIfs, {});
});

test('only what the person chose is kept', () => {
  const state = withOpen(withUnits(withWhatIf(start, { batch: 16 }), 'binary'), 'paper', false);
  const kept = keptPart(state);
  assert.deepEqual(kept, {
    whatIfs: { [shown.uri]: { batch: 16 } },
    units: 'binary',
    open: { paper: false },
    compared: {},
  });
  assert.deepEqual(keptPart(initialState(JSON.parse(JSON.stringify(kept)))), kept);
});

test('functions leave the state before them alone', () => {
  const before = JSON.stringify(start);
  withWhatIf(start, { batch: 16 });
  withUnits(start, 'binary');
  assert.equal(JSON.stringify(start), before);
});

test('undo goes back change by change, moving one slider is one change', () => {
  let state = start;
  for (const segment of [2, 3, 4]) state = withWhatIf(state, { segment });
  state = withWhatIf(state, { batch: 16 });
  state = undone(state);
  assert.deepEqual(whatIfOf(state), { segment: 4 });
  state = undone(state);
  assert.deepEqual(whatIfOf(state), {});
  assert.equal(undone(state), state);
});

test('undo brings back what Reset took away', () => {
  const tried = withWhatIf(start, { batch: 16, sequence: 512 });
  assert.deepEqual(whatIfOf(undone(withoutWhatIf(tried))), { batch: 16, sequence: 512 });
  assert.deepEqual(whatIfOf(undone(withoutWhatIf(tried, 'batch'))), { batch: 16, sequence: 512 });
});

test('a change to what is tried already is none, and undo does not see it', () => {
  const tried = withWhatIf(start, { batch: 16 });
  assert.equal(withWhatIf(withWhatIf(tried, { sequence: 512 }), { sequence: 512 }).history.length, 2);
});

test('undo takes back what was tried in the document that is shown, never in one that is not', () => {
  const other = { ...shown, uri: 'file:///project/other.py' };
  const tried = withWhatIf(withShown(withWhatIf(start, { batch: 16 }), other), { batch: 32 });
  const back = withShown(tried, shown);
  assert.equal(canUndo(withShown(tried, { ...shown, uri: 'file:///project/third.py' })), false);
  const undoneHere = undone(back);
  assert.deepEqual(whatIfOf(undoneHere), {});
  assert.equal(canUndo(undoneHere), false);
  assert.deepEqual(whatIfOf(withShown(undoneHere, other)), { batch: 32 });
});

test('what was put into the code is tried no longer, and nothing is left to undo', () => {
  const tried = withWhatIf(start, { strategy: 'full', segment: 4 });
  const checkpointing = written({ mode: 'full', segment: 4 } as const, 11);
  const inCode = { ...shown, facts: { ...facts, run: { ...facts.run, checkpointing } } };
  const put = withShown(tried, inCode);
  assert.deepEqual(put.whatIfs, {});
  assert.equal(canUndo(put), false);
  // Taken out of the code by hand, it does not come back as something tried.
  assert.deepEqual(whatIfOf(withShown(put, shown)), {});
  const more = withShown(withWhatIf(tried, { batch: 16 }), inCode);
  assert.deepEqual(whatIfOf(more), { batch: 16 });
  assert.equal(canUndo(more), true);
});

test('a strategy goes where the code checkpoints, also in another file', () => {
  const at = (path: string) => {
    const checkpointing = written({ mode: 'full', segment: 1 } as const, 11, path);
    return documentToChange({ ...shown, facts: { ...facts, run: { ...facts.run, checkpointing } } });
  };
  assert.equal(documentToChange(shown), shown.uri);
  assert.equal(at('file:///project/model.py'), 'file:///project/model.py');
  assert.equal(at('vscode-notebook-cell:/project/train.ipynb#W0'), shown.uri);
});

test('where nothing checkpoints yet, a strategy goes into the file that the layers are written in', () => {
  const layersIn = (path: string) => {
    const { origin } = written('gpt2', 55, path);
    const place = 'place' in origin ? origin.place : undefined;
    const family = { value: 'gpt2', origin: { kind: 'derived', from: 'LayerNorm', ...(place && { place }) } } as const;
    return { ...facts, model: { ...model, family } };
  };
  const none = { mode: 'none', segment: 1 } as const;
  const nothing = { value: none, origin: { kind: 'derived', from: 'no checkpoint call in this file' } } as const;
  const trainers = { value: none, origin: { kind: 'default', library: 'transformers', what: 'Trainer' } } as const;
  const given = layersIn('file:///project/net.py');
  const into = (checkpointing: typeof nothing | typeof trainers): string =>
    documentToChange({ ...shown, facts: { ...given, run: { ...given.run, checkpointing } } });
  assert.equal(into(nothing), 'file:///project/net.py');
  assert.equal(into(trainers), shown.uri);
});
