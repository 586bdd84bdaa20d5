import type { Browser } from 'playwright-core';

export function webpOf(browser: Browser, png: Buffer, quality: number): Promise<Buffer>;
