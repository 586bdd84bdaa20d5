import { test } from 'node:test';
import type { Page } from 'playwright-core';
import * as workbench from './workbench.ts';

/** A test that leaves a picture of what it saw when it failed. */
export function step(name: string, pageOf: () => Page, act: (page: Page) => Promise<void>): void {
  test(name, { timeout: 180_000 }, async () => {
    try {
      await act(pageOf());
    } catch (error) {
      await workbench.shot(pageOf(), `FAILED ${name.replaceAll(/\W+/g, '-')}`).catch(() => undefined);
      workbench.losePatience(pageOf());
      throw error;
    }
  });
}
