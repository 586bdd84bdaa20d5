import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type axe from 'axe-core';
import type { Frame, FrameLocator } from 'playwright-core';

/**
 * What axe-core finds wrong in a webview's document, one line for each element. A webview is transparent: what the person sees
 * behind it is VS Code's `background`, a theme variable, which contrast has to be reckoned with.
 */
export async function accessibilityViolations(webview: FrameLocator, background: string): Promise<readonly string[]> {
  const element = await webview.locator('html').elementHandle();
  const frame = await element?.ownerFrame();
  assert.ok(frame, 'the webview has no frame');
  return violationsIn(frame, background);
}

/** The same for a webview that runs no scripts, and so not axe's: its document is looked at in a page of the same width. */
export async function violationsWithoutScripts(webview: FrameLocator, background: string): Promise<readonly string[]> {
  const html = webview.locator('html');
  const { markup, width } = await html.evaluate((root) => ({ markup: root.outerHTML, width: root.clientWidth }));
  const browser = html.page().context().browser();
  assert.ok(browser, 'the window has no browser');
  const copy = await browser.newPage({ viewport: { width, height: 1000 } });
  try {
    await copy.setContent(`<!doctype html>${markup.replace(/<meta http-equiv[^>]*>/, '')}`);
    return await violationsIn(copy.mainFrame(), background);
  } finally {
    await copy.close();
  }
}

async function violationsIn(frame: Frame, background: string): Promise<readonly string[]> {
  await frame.evaluate(axeSource());
  const results = await frame.evaluate(async (variable) => {
    document.body.style.backgroundColor = `var(${variable})`;
    // What is scrolled away counts too.
    const sections = [...document.querySelectorAll<HTMLElement>('.section')];
    for (const section of sections) section.style.contentVisibility = 'visible';
    try {
      return await axeOfPage().run(document, { resultTypes: ['violations'], iframes: false });
    } finally {
      document.body.style.backgroundColor = '';
      for (const section of sections) section.style.contentVisibility = '';
    }

    function axeOfPage(): typeof axe {
      return (window as unknown as { readonly axe: typeof axe }).axe;
    }
  }, background);
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
}

/** Evaluated by the debugger and not by the page, whose policy lets no foreign script in. */
const axeSource = (): string => readFileSync(path.join('node_modules', 'axe-core', 'axe.min.js'), 'utf8');
