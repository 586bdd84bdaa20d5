import { type ApplyAround, applyPlaces, applyStrategy } from '../../../server/core/apply/applyStrategy.ts';
import { checkedApplication, type Reading } from '../../../server/core/apply/checkedApplication.ts';
import type { ChosenStrategy } from '../../../server/core/apply/chosen.ts';
import { detectRun } from '../../../server/core/facts/detectRun.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { parseVersion } from '../../../server/core/torch/version.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import type { Workspace } from '../../../server/core/workspace/workspace.ts';
import { lintModule } from '../../support/lint.ts';
import { parsePython } from '../../support/python.ts';

export interface Around {
  readonly layers?: number;
  readonly versions?: Readonly<Record<string, string>>;
  readonly workspace?: Workspace;
}

/** The text with a strategy in it, as an editor would show it; or the sentence that says why not. */
export function put(text: string, chosen: ChosenStrategy, around: Around = {}): string {
  const file = sourceFile('/w/test.py', parsePython(text), around.workspace);
  const application = applyStrategy(applyPlaces(file, aroundOf(around)), chosen);
  const checked = checkedApplication(text, application, chosen, (version) => reading(version, around));
  if (checked.kind === 'cannot') return `cannot: ${checked.why}`;
  return checked.kind === 'already' ? text : applyEdits(text, checked.edits);
}

function aroundOf({ layers, versions = {}, workspace }: Around): ApplyAround {
  const known = Object.entries(versions).flatMap(([library, text]) => {
    const version = parseVersion(text);
    return version === undefined ? [] : [[library, version]];
  });
  return { workspace, versions: Object.fromEntries(known), layers };
}

export function reading(text: string, { workspace }: Around = {}): Reading {
  const module = parsePython(text);
  const file = sourceFile('/w/test.py', module, workspace);
  return {
    isBroken: module.unreliable.length > 0,
    findings: lintModule(module, workspace === undefined ? {} : { workspace }),
    checkpointing: detectRun(module, file.names, 'test.py')?.run.checkpointing.value,
  };
}

export const full: ChosenStrategy = { name: 'full', segment: 1 };
export const none: ChosenStrategy = { name: 'none', segment: 1 };
export const policy: ChosenStrategy = { name: 'policy', segment: 1 };
export const segments = (length: number): ChosenStrategy => ({ name: 'full', segment: length });
export const sequential = (length: number): ChosenStrategy => ({ name: 'sequential', segment: length });
