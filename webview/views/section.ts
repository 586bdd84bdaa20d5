import { html, noChange, type TemplateResult } from 'lit/html.js';
import type { Actions } from './actions.ts';

export interface SectionHead {
  /** Stable name under which its being open or closed is kept. */
  readonly name: string;
  readonly title: string;
  /** Said in the same line, quieter. */
  readonly aside?: string;
  /** Folded until the person opens it. */
  readonly startsClosed?: boolean;
}

/**
 * A part of the panel that folds like VS Code's own views. What is folded away is not even made, and what is not drawn for now
 * stays as it is.
 */
export function section(
  head: SectionHead,
  open: Readonly<Record<string, boolean>>,
  isDrawn: boolean,
  act: Actions,
  content: () => TemplateResult,
): TemplateResult {
  const isOpen = open[head.name] ?? head.startsClosed !== true;
  const onToggle = (event: Event) => {
    const now = (event.currentTarget as HTMLDetailsElement).open;
    if (now !== isOpen) act.setOpen(head.name, now);
  };
  return html`
    <details class="section" data-test="section-${head.name}" ?open=${isOpen} @toggle=${onToggle}>
      <summary><h2>${head.title}</h2>${head.aside === undefined ? '' : html`<span class="aside">${head.aside}</span>`}</summary>
      <div class="content">${isOpen ? (isDrawn ? content() : noChange) : ''}</div>
    </details>`;
}
