import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schedule } from '../../server/lsp/schedule.ts';

/** As the connection does with what came in one packet: a message in each turn. */
async function handled(messages: readonly (() => void)[]): Promise<void> {
  for (const message of messages) {
    message();
    await turn();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('ten keystrokes that come together are checked once, behind the last of them', async () => {
  const events: string[] = [];
  const schedule = new Schedule((key) => void events.push(`check ${key}`));
  const keystroke = (count: number) => (): void => {
    events.push(`key ${count}`);
    schedule.request('train.py');
  };
  const keys = Array.from({ length: 10 }, (_, index) => index + 1);
  await handled(keys.map(keystroke));
  await turn();
  assert.deepEqual(events, [...keys.map((count) => `key ${count}`), 'check train.py']);
});

test('what is called off is not done', async () => {
  let checks = 0;
  const schedule = new Schedule(() => void checks++);
  schedule.request('train.py');
  await turn();
  schedule.cancel('train.py');
  await handled([]);
  await turn();
  await turn();
  assert.equal(checks, 0);
});
