import type { StrategyName } from '../../server/core/budget/account.ts';
import type { Place } from '../../server/core/facts/facts.ts';
import type { ByteUnits } from '../../server/core/report/quantities.ts';
import type { Compared } from '../store.ts';
import type { WhatIf, WhatIfField } from '../whatIf.ts';

/** All that a person can do in the panel; the views call these and know nothing else of the outside. */
export interface Actions {
  readonly reveal: (place: Place) => void;
  readonly tryOut: (change: WhatIf) => void;
  /** Back to what the code says, for one value or for all. */
  readonly reset: (field?: WhatIfField) => void;
  readonly undo: () => void;
  /** Puts a strategy into the code that is shown, after a preview. */
  readonly apply: (strategy: StrategyName, segment: number) => void;
  readonly learn: () => void;
  readonly chooseDevice: () => void;
  readonly chooseRun: (id: string) => void;
  readonly compare: (compared: Compared) => void;
  readonly setUnits: (units: ByteUnits) => void;
  readonly setOpen: (section: string, open: boolean) => void;
  readonly restartServer: () => void;
  readonly showLog: () => void;
  readonly copy: (as: CopyFormat) => void;
}

export type CopyFormat = 'markdown' | 'json' | 'svg' | 'png';
