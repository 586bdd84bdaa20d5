import assert from 'node:assert/strict';
import { hoverText, openDemo, positionOf, until } from './editor.ts';

describe('hover', () => {
  it('on a checkpoint call says which variant runs and what it does', async () => {
    const document = await openDemo('selective.py');
    const call = positionOf(document, 'checkpoint(block, x, use_reentrant=True');
    const text = await until('the hover', async () => (await hoverText(document, call.translate(0, 3))) || undefined);
    assert.match(text, /reentrant/i);
    assert.match(text, /\|/, 'there is no table');
  });

  it('is silent on what is no checkpoint call', async () => {
    const selective = await openDemo('selective.py');
    const call = positionOf(selective, 'checkpoint(block, x, use_reentrant=True');
    await until('the server', async () => (await hoverText(selective, call.translate(0, 3))) || undefined);
    const lookalikes = await openDemo('lookalikes.py');
    const other = positionOf(lookalikes, 'checkpoint.save(');
    assert.doesNotMatch(await hoverText(lookalikes, other.translate(0, 3)), /reentrant/i);
  });
});
