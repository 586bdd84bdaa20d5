import type { Device } from '../server/core/devices/device.ts';
import type { ByteUnits } from '../server/core/report/quantities.ts';
import type { FileFacts, ServerHealth, ToPanel } from './protocol.ts';
import { type WhatIf, type WhatIfField, withoutCodeValues } from './whatIf.ts';

/** Everything the panel knows. Changes only through the functions below; all else is derived, see `derive.ts`. */
export interface PanelState extends KeptState {
  readonly shown: FileFacts | undefined;
  readonly awaited: string | undefined;
  readonly server: ServerHealth;
  readonly device: Device | undefined;
  /** What-ifs before each change, oldest first. */
  readonly history: readonly Change[];
}

/** The part that outlives the view (`setState`): what the person chose, never what the server said. */
export interface KeptState {
  /** What-ifs by document URI and run, so that switching between two files does not lose either's. */
  readonly whatIfs: WhatIfs;
  readonly units: ByteUnits;
  /** Sections the person closed or opened, by name. */
  readonly open: Readonly<Record<string, boolean>>;
  /** The two strategies of the timeline, by name, where the person chose them. */
  readonly compared: Compared;
}

export interface Compared {
  readonly first?: string;
  readonly second?: string;
}

type WhatIfs = Readonly<Record<string, WhatIf>>;

interface Change {
  /** The document and run it was made in. */
  readonly key: string;
  readonly whatIf: WhatIf;
  /** What was changed; moving one slider on and on is one change. */
  readonly fields: string;
}

/** More than anyone goes back. */
const mostChanges = 100;

export const initialState = (kept: Partial<KeptState> = {}): PanelState => ({
  shown: undefined,
  awaited: undefined,
  server: 'idle',
  device: undefined,
  history: [],
  whatIfs: kept.whatIfs ?? {},
  units: kept.units ?? 'decimal',
  open: kept.open ?? {},
  compared: kept.compared ?? {},
});

export const keptPart = ({ whatIfs, units, open, compared }: PanelState): KeptState => ({
  whatIfs,
  units,
  open,
  compared,
});

export const withSnapshot = (
  state: PanelState,
  { shown, awaited, server, device }: Omit<ToPanel, 'type'>,
): PanelState => withoutWhatIsInCode({ ...state, shown, awaited, server, device });

/** What the code has come to say is tried no longer; once that is all, going back would change nothing that one sees. */
function withoutWhatIsInCode(state: PanelState): PanelState {
  const { shown, whatIfs, history } = state;
  const tried = whatIfOf(state);
  const left = withoutCodeValues(tried, shown?.facts?.run);
  if (shown === undefined || Object.keys(left).length === Object.keys(tried).length) return state;
  const key = keyOf(shown);
  const isDone = Object.keys(left).length === 0;
  return {
    ...state,
    whatIfs: withEntry(whatIfs, key, left),
    history: isDone ? history.filter((each) => each.key !== key) : history,
  };
}

export const withUnits = (state: PanelState, units: ByteUnits): PanelState => ({ ...state, units });

export const withOpen = (state: PanelState, section: string, open: boolean): PanelState => ({
  ...state,
  open: { ...state.open, [section]: open },
});

export const withCompared = (state: PanelState, compared: Compared): PanelState => ({
  ...state,
  compared: { ...state.compared, ...compared },
});

export const whatIfOf = ({ whatIfs, shown }: PanelState): WhatIf => (shown && whatIfs[keyOf(shown)]) ?? {};

/** Each run of a document has what-ifs of its own. */
const keyOf = ({ uri, runs, chosenRun }: FileFacts): string => (runs.length > 1 ? `${uri} ${chosenRun}` : uri);

/** Tries `change` in the shown document, on top of what is being tried already. */
export const withWhatIf = (state: PanelState, change: WhatIf): PanelState =>
  replaceWhatIf(
    state,
    withoutCodeValues({ ...whatIfOf(state), ...change }, state.shown?.facts?.run),
    String(Object.keys(change)),
  );

/** Back to what the code says, for one value or for all. */
export function withoutWhatIf(state: PanelState, field?: WhatIfField): PanelState {
  if (field === undefined) return replaceWhatIf(state, {}, 'all');
  const { [field]: _dropped, ...rest } = whatIfOf(state);
  return replaceWhatIf(state, rest, `without ${field}`);
}

/** As it was before the last change of a what-if of the shown document: what one does not see is not undone. */
export function undone(state: PanelState): PanelState {
  const last = lastChange(state);
  return last === undefined
    ? state
    : {
        ...state,
        whatIfs: withEntry(state.whatIfs, last.key, last.whatIf),
        history: state.history.filter((each) => each !== last),
      };
}

export const canUndo = (state: PanelState): boolean => lastChange(state) !== undefined;

function lastChange({ shown, history }: PanelState): Change | undefined {
  const key = shown && keyOf(shown);
  return history.findLast((each) => each.key === key);
}

function replaceWhatIf(state: PanelState, whatIf: WhatIf, fields: string): PanelState {
  if (state.shown === undefined) return state;
  const key = keyOf(state.shown);
  const old = state.whatIfs[key] ?? {};
  if (JSON.stringify(old) === JSON.stringify(whatIf)) return state;
  const last = state.history.at(-1);
  const goesOn = last?.key === key && last.fields === fields;
  return {
    ...state,
    whatIfs: withEntry(state.whatIfs, key, whatIf),
    history: goesOn ? state.history : [...state.history, { key, whatIf: old, fields }].slice(-mostChanges),
  };
}

function withEntry(whatIfs: WhatIfs, key: string, whatIf: WhatIf): WhatIfs {
  const { [key]: _, ...others } = whatIfs;
  return Object.keys(whatIf).length === 0 ? others : { ...others, [key]: whatIf };
}
