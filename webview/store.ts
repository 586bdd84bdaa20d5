import type { AttentionImplementation, DataType, RunSettings } from '../server/core/facts/facts.ts';
import type { ByteUnits } from '../server/core/report/quantities.ts';
import type { FileFacts } from './protocol.ts';

/** Everything the panel knows. Changes only through the functions below; all else is derived, see `derive.ts`. */
export interface PanelState extends KeptState {
  readonly shown: FileFacts | undefined;
}

/** The part that outlives the view (`setState`): what the person chose, never what the server said. */
export interface KeptState {
  /** What-ifs by document URI, so that switching between two files does not lose either's. */
  readonly whatIfs: Readonly<Record<string, WhatIf>>;
  readonly units: ByteUnits;
  /** Sections the person closed or opened, by name. */
  readonly open: Readonly<Record<string, boolean>>;
}

/** Values a person tries in place of what the code says. */
export interface WhatIf {
  readonly batch?: number;
  readonly sequence?: number;
  /** Layers in one segment, k. */
  readonly segment?: number;
  readonly dataType?: DataType;
  readonly attention?: AttentionImplementation;
}

export type WhatIfField = keyof WhatIf;

export const initialState = (kept: Partial<KeptState> = {}): PanelState => ({
  shown: undefined,
  whatIfs: kept.whatIfs ?? {},
  units: kept.units ?? 'decimal',
  open: kept.open ?? {},
});

export const keptPart = ({ whatIfs, units, open }: PanelState): KeptState => ({ whatIfs, units, open });

export const withShown = (state: PanelState, shown: FileFacts | undefined): PanelState => ({ ...state, shown });

export const withUnits = (state: PanelState, units: ByteUnits): PanelState => ({ ...state, units });

export const withOpen = (state: PanelState, section: string, open: boolean): PanelState => ({
  ...state,
  open: { ...state.open, [section]: open },
});

export const whatIfOf = (state: PanelState): WhatIf => state.whatIfs[state.shown?.uri ?? ''] ?? {};

/** Tries `change` in the shown document, on top of what is being tried already. */
export const withWhatIf = (state: PanelState, change: WhatIf): PanelState =>
  replaceWhatIf(state, withoutCodeValues({ ...whatIfOf(state), ...change }, state.shown?.facts?.run));

/** Back to what the code says, for one value or for all. */
export function withoutWhatIf(state: PanelState, field?: WhatIfField): PanelState {
  if (field === undefined) return replaceWhatIf(state, {});
  const { [field]: _dropped, ...rest } = whatIfOf(state);
  return replaceWhatIf(state, rest);
}

/** A value set back by hand is no what-if any more, else it would hide a later edit of the code. */
function withoutCodeValues(whatIf: WhatIf, run: RunSettings | undefined): WhatIf {
  if (run === undefined) return whatIf;
  const inCode: Required<WhatIf> = {
    batch: run.batch.value,
    sequence: run.sequence.value,
    segment: run.checkpointing.value.segment,
    dataType: run.dataType.value,
    attention: run.attention.value,
  };
  return Object.fromEntries(Object.entries(whatIf).filter(([field, value]) => value !== inCode[field as WhatIfField]));
}

function replaceWhatIf(state: PanelState, whatIf: WhatIf): PanelState {
  if (state.shown === undefined) return state;
  const { [state.shown.uri]: _old, ...others } = state.whatIfs;
  const isEmpty = Object.keys(whatIf).length === 0;
  return { ...state, whatIfs: isEmpty ? others : { ...others, [state.shown.uri]: whatIf } };
}
