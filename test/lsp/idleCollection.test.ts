import assert from 'node:assert/strict';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { collectionWhenIdle } from '../../server/lsp/idleCollection.ts';

test('garbage is collected once after the last of several checks, and nothing is held open for it', async () => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    // Those that were asked for, not those that the engine makes by itself.
    const asked = (list.getEntries() as unknown as readonly { readonly detail: { readonly flags: number } }[]).filter(
      ({ detail }) => detail.flags === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED,
    );
    collections += asked.length;
  });
  observer.observe({ entryTypes: ['gc'] });
  const rest = collectionWhenIdle();
  assert.ok(rest !== undefined);
  for (let check = 0; check < 5; check++) rest();
  await setTimeout(300);
  observer.disconnect();
  assert.equal(collections, 1);
});
