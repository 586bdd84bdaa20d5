import type { CheckpointingNow } from '../facts/facts.ts';
import type { Diagnostic } from '../lint/rule.ts';
import { applyEdits } from '../text/edit.ts';
import type { Application } from './applyStrategy.ts';
import type { ChosenStrategy } from './chosen.ts';
import { mergedEdits } from './mergedEdits.ts';

/** What is read from a version of a text. */
export interface Reading {
  /** Some of it could not be parsed. */
  readonly isBroken: boolean;
  readonly findings: readonly Diagnostic[];
  /** What it does about checkpointing; undefined where it says nothing about a run. */
  readonly checkpointing: CheckpointingNow | undefined;
}

/**
 * Reads the edited text as if the person had written it. An edit that would bring an error or a warning, or after which the
 * text does not say the strategy, is not offered: it says why instead.
 */
export function checkedApplication(
  text: string,
  application: Application,
  chosen: ChosenStrategy,
  read: (text: string) => Reading,
): Application {
  if (application.kind !== 'edits') return application;
  const before = read(text);
  const after = read(applyEdits(text, application.edits));
  if (after.isBroken && !before.isBroken) return { kind: 'cannot', why: 'the edited file would not parse' };
  const brought = broughtBy(before.findings, after.findings);
  if (brought !== undefined) return { kind: 'cannot', why: `it would bring ${brought.code}: ${brought.message}` };
  if (after.checkpointing !== undefined && !says(after.checkpointing, chosen))
    return { kind: 'cannot', why: 'something else in this file decides about checkpointing, too' };
  return { ...application, edits: mergedEdits(text, application.edits) };
}

function broughtBy(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic | undefined {
  const count = (all: readonly Diagnostic[], code: string): number => all.filter((one) => one.code === code).length;
  return after.find(({ code, severity }) => {
    const matters = severity === 'error' || severity === 'warning' || code === withoutEffect;
    return matters && count(after, code) > count(before, code);
  });
}

/** Not wrong, but nothing would be checkpointed: the model is trained in eval mode. */
const withoutEffect = 'AC506';

/** Segments are compared where both sides count them in layers. */
function says(now: CheckpointingNow, { name, segment }: ChosenStrategy): boolean {
  if (name === 'none') return now.mode === 'none';
  if (name === 'full') return now.mode === 'full' && now.segment === segment && now.every === undefined;
  if (name === 'every-second') return now.every === 2;
  if (name === 'offload') return now.offloaded === true;
  if (name === 'policy') return now.mode === 'policy';
  return now.mode !== 'none';
}
