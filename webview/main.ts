import { render } from 'lit/html.js';
import { documentToChange } from '../server/core/apply/documentToChange.ts';
import { estimateBudget } from '../server/core/budget/estimate.ts';
import { advise } from '../server/core/total/advise.ts';
import { assess } from '../server/core/total/assess.ts';
import { createAdvisor } from './advisor.ts';
import { type Computations, derivePanel, type PanelView } from './derive.ts';
import { formatBytes } from './format.ts';
import { type Strings, useStrings } from './l10n.ts';
import type { FromPanel, ToPanel } from './protocol.ts';
import { remember } from './remember.ts';
import {
  initialState,
  type KeptState,
  keptPart,
  type PanelState,
  undone,
  withCompared,
  withOpen,
  withoutWhatIf,
  withSnapshot,
  withUnits,
  withWhatIf,
} from './store.ts';
import { headline } from './verdict.ts';
import type { Actions } from './views/actions.ts';
import { keepingFocus } from './views/keepingFocus.ts';
import { failure, panel, type Treatment, waiting } from './views/panel.ts';
import { trackSight } from './views/sight.ts';
import { styles } from './views/styles.ts';
import { takeOut } from './views/takeOut.ts';

interface VsCodeHost {
  readonly postMessage: (message: FromPanel) => void;
  readonly getState: () => Partial<KeptState> | undefined;
  readonly setState: (state: KeptState) => void;
}
declare function acquireVsCodeApi(): VsCodeHost;

const host = acquireVsCodeApi();
const root = document.createElement('main');
let state = initialState(host.getState());
let width = 0;
/** Until the extension has answered there is nothing to say, not even that there is nothing. */
let isTold = false;
/** The newest snapshot as it came. The same may come again: the extension sends it whenever the panel comes into sight. */
let received = '';
/** Whether all sections of a model have been there. */
let hasDrawnAll = false;
const sight = trackSight(root);
let drawRest: ReturnType<typeof setTimeout> | undefined;

const compute: Computations = {
  estimate: remember(estimateBudget),
  assess: remember((training, units) => assess(training, (bytes) => formatBytes(bytes, units))),
  advise: createAdvisor(advise, () => draw()),
};

const act: Actions = {
  reveal: (place) => host.postMessage({ type: 'reveal', place }),
  tryOut: (change) => updateInSight(withWhatIf(state, change)),
  reset: (field) => update(withoutWhatIf(state, field)),
  undo: () => update(undone(state)),
  apply: (strategy, segment) => {
    if (state.shown !== undefined)
      host.postMessage({ type: 'apply', uri: documentToChange(state.shown), strategy, segment });
  },
  learn: () => host.postMessage({ type: 'learn' }),
  chooseDevice: () => host.postMessage({ type: 'choose-device' }),
  chooseRun: (id) => {
    if (state.shown !== undefined) host.postMessage({ type: 'choose-run', uri: state.shown.uri, id });
  },
  compare: (compared) => update(withCompared(state, compared)),
  setUnits: (units) => update(withUnits(state, units)),
  setOpen: (section, open) => update(withOpen(state, section, open)),
  restartServer: () => host.postMessage({ type: 'restart-server' }),
  showLog: () => host.postMessage({ type: 'show-log' }),
  copy: (as) => void copy(as),
};

window.addEventListener('message', ({ data }: MessageEvent<ToPanel>) => {
  if (data?.type !== 'facts') {
    fail(`the panel was sent what it does not know: ${JSON.stringify(data)?.slice(0, 200)}`);
    return;
  }
  const text = JSON.stringify(data);
  if (text === received) return;
  received = text;
  isTold = true;
  update(withSnapshot(state, data));
});
window.addEventListener('error', ({ message }) => fail(message));
window.addEventListener('keydown', (event) => {
  // In a field Ctrl+Z belongs to the field.
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key !== 'z') return;
  if (event.target instanceof HTMLInputElement && event.target.type === 'number') return;
  event.preventDefault();
  act.undo();
});

// An adopted sheet needs no `unsafe-inline` in the content security policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets = [sheet];
useStrings(stringsOfPage());
document.body.append(root);
new ResizeObserver(([entry]) => {
  const available = Math.floor(entry?.contentRect.width ?? 0);
  if (available === width || available === 0) return;
  width = available;
  // Drawing changes the observed height: inside the callback the browser would report a loop.
  requestAnimationFrame(() => draw());
}).observe(root);
host.postMessage({ type: 'ready' });
// Usually the answer is there before anyone could read this.
setTimeout(() => {
  if (!isTold) render(waiting(), root);
}, 1000);

/** The language's texts stand in the page, so that nothing is drawn before they are there. */
function stringsOfPage(): Strings {
  const text = document.getElementById('strings')?.textContent;
  return text ? (JSON.parse(text) as Strings) : {};
}

/** Estimates and draws at once: the numbers change in the same frame as the control under the pointer. */
function update(next: PanelState): void {
  state = next;
  host.setState(keptPart(state));
  draw();
}

/** Long enough that a slider on the move draws only what is seen. */
const restMilliseconds = 60;

/** The same for a value that is tried, of which many come one after the other: what is scrolled away follows a moment later. */
function updateInSight(next: PanelState): void {
  state = next;
  host.setState(keptPart(state));
  draw((section) => (sight.isSeen(section) ? 'draw' : 'keep'));
  drawRest = setTimeout(draw, restMilliseconds);
}

const everySection = (): Treatment => 'draw';

/** Whether it fits and what takes the memory: about what a window shows without scrolling. */
const answer = (section: string): Treatment => (section === 'memory' ? 'draw' : 'leave out');

function draw(treat: (section: string) => Treatment = everySection): void {
  clearTimeout(drawRest);
  // The first time there has been no frame yet in which the observer could have spoken.
  if (width === 0) width = root.clientWidth;
  if (width === 0 || !isTold) return;
  try {
    const view = derivePanel(state, compute);
    const isFirst = view.kind === 'budget' && !hasDrawnAll;
    keepingFocus(() => render(panel(view, act, width, isFirst ? answer : treat), root));
    if (isFirst) {
      hasDrawnAll = true;
      // What follows is drawn once the answer is on the screen.
      requestAnimationFrame(() => {
        drawRest = setTimeout(draw);
      });
      return;
    }
    if (treat !== everySection) return;
    sight.follow();
    host.postMessage({ type: 'rendered', uri: view.shown?.uri, headline: spokenHeadline(view) });
  } catch (error) {
    // Whatever went wrong, the numbers of the model before must not stay as if they were this one's.
    render(failure(act), root);
    fail(error);
  }
}

async function copy(as: Parameters<Actions['copy']>[0]): Promise<void> {
  const view = derivePanel(state, compute);
  if (view.kind !== 'budget') return;
  try {
    const message = await takeOut(view, as);
    if (message !== undefined) host.postMessage(message);
  } catch (error) {
    fail(error);
  }
}

const fail = (error: unknown): void =>
  host.postMessage({
    type: 'failed',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });

function spokenHeadline(view: PanelView): string {
  if (view.kind === 'empty') return '';
  const { verdict, how } = headline(view);
  return `${view.model.name.value}: ${verdict}, ${how}`;
}
