import { render } from 'lit/html.js';
import { estimateBudget } from '../server/core/budget/estimate.ts';
import { derivePanel, type PanelView } from './derive.ts';
import { formatBytes } from './format.ts';
import type { FromPanel, ToPanel } from './protocol.ts';
import { remember } from './remember.ts';
import {
  initialState,
  type KeptState,
  keptPart,
  type PanelState,
  withOpen,
  withoutWhatIf,
  withShown,
  withUnits,
  withWhatIf,
} from './store.ts';
import { headline } from './verdict.ts';
import type { Actions } from './views/actions.ts';
import { failure, panel } from './views/panel.ts';
import { styles } from './views/styles.ts';

interface VsCodeHost {
  readonly postMessage: (message: FromPanel) => void;
  readonly getState: () => Partial<KeptState> | undefined;
  readonly setState: (state: KeptState) => void;
}
declare function acquireVsCodeApi(): VsCodeHost;

const host = acquireVsCodeApi();
const root = document.createElement('main');
const estimate = remember(estimateBudget);
let state = initialState(host.getState());
let width = 0;
/** Until the extension has answered there is nothing to say, not even that there is nothing. */
let isTold = false;

const act: Actions = {
  reveal: (place) => host.postMessage({ type: 'reveal', place }),
  tryOut: (change) => update(withWhatIf(state, change)),
  reset: (field) => update(withoutWhatIf(state, field)),
  setUnits: (units) => update(withUnits(state, units)),
  setOpen: (section, open) => update(withOpen(state, section, open)),
};

window.addEventListener('message', ({ data }: MessageEvent<ToPanel>) => {
  if (data.type !== 'facts') return;
  isTold = true;
  update(withShown(state, data.shown));
});
window.addEventListener('error', ({ message }) => host.postMessage({ type: 'failed', message }));

// An adopted sheet needs no `unsafe-inline` in the content security policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets = [sheet];
document.body.append(root);
new ResizeObserver(([entry]) => {
  const available = Math.floor(entry?.contentRect.width ?? 0);
  if (available === width || available === 0) return;
  width = available;
  // Drawing changes the observed height: inside the callback the browser would report a loop.
  requestAnimationFrame(draw);
}).observe(root);
host.postMessage({ type: 'ready' });

/** Estimates and draws at once: the numbers change in the same frame as the control under the pointer. */
function update(next: PanelState): void {
  state = next;
  host.setState(keptPart(state));
  draw();
}

function draw(): void {
  if (width === 0 || !isTold) return;
  try {
    drawView();
  } catch (error) {
    // Whatever went wrong, the numbers of the model before must not stay as if they were this one's.
    render(failure(), root);
    host.postMessage({
      type: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

function drawView(): void {
  const view = derivePanel(state, estimate);
  render(panel(view, act, width), root);
  host.postMessage({ type: 'rendered', uri: view.shown?.uri, headline: spokenHeadline(view) });
}

function spokenHeadline(view: PanelView): string {
  if (view.kind === 'empty') return '';
  const { peakBytes, how } = headline(view);
  return `${view.model.name.value}: ${peakBytes === undefined ? 'no estimate' : formatBytes(peakBytes, view.units)}, ${how}`;
}
