import type { FrameLocator, Page } from 'playwright-core';

/** A control that had the focus. */
export interface Stop {
  /** Its place among all controls of the document; −1 where it is none of them. */
  readonly index: number;
  /** For a person who reads what failed. */
  readonly name: string;
  /** From the top of the document, in CSS pixels. */
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly showsFocus: boolean;
}

/** More than any panel has controls, so that a focus that goes round in circles ends. */
const mostStops = 400;

/** Presses Tab from the top of a webview until the focus leaves it. */
export async function tabThrough(
  page: Page,
  webview: FrameLocator,
): Promise<{ readonly stops: readonly Stop[]; readonly nControls: number }> {
  const body = webview.locator('body');
  const nControls = await body.evaluate(() => {
    // Where the next Tab goes on from is where the focus was last, so it was last on the document itself.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    const controls = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary, [tabindex="0"]'),
    ];
    const shown = controls.filter((control) => !control.matches(':disabled') && control.checkVisibility());
    shown.forEach((control, index) => {
      control.dataset.tabStop = String(index);
    });
    return shown.length;
  });
  const stops: Stop[] = [];
  for (let pressed = 0; pressed < mostStops; pressed++) {
    await page.keyboard.press('Tab');
    const stop = await body.evaluate(() => {
      const control = document.activeElement as HTMLElement | null;
      if (!document.hasFocus() || control === null || control === document.body) return undefined;
      const { top, bottom, left } = control.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(control);
      return {
        index: Number(control.dataset.tabStop ?? -1),
        name: control.dataset.test ?? control.textContent?.trim() ?? control.tagName,
        top: top + scrollY,
        bottom: bottom + scrollY,
        left,
        showsFocus: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
      };
    });
    if (stop === undefined || stops.some(({ index }) => index === stop.index)) break;
    stops.push(stop);
  }
  return { stops, nControls };
}
