import { type InlayHint, InlayHintKind } from 'vscode-languageserver';
import type { RunFacts } from '../../core/facts/facts.ts';
import { keywordNamed } from '../../core/python/arguments.ts';
import { type CheckpointSite, isImplicit } from '../../core/sites/checkpointSite.ts';
import { overlaps, type Span } from '../../core/text/span.ts';
import type { Places } from '../places.ts';

export interface HintSubjects {
  readonly text: string;
  readonly sites: readonly CheckpointSite[];
  readonly facts: RunFacts | undefined;
  readonly visible: Span;
  readonly places: Places;
  /** What `facts` call the text. */
  readonly uri: string;
}

/** What a checkpoint call takes where it does not say, as if it were written; and the variant behind a switch of a library. */
export function inlayHints(subjects: HintSubjects): InlayHint[] {
  const { text, sites, visible, places } = subjects;
  const shown = sites.filter(({ call }) => overlaps(call, visible));
  return [...shown.flatMap((site) => defaultsOf(site, text, places)), ...variantOfSwitch(subjects)];
}

function defaultsOf(site: CheckpointSite, text: string, places: Places): InlayHint[] {
  const { call, given, configuresOnly } = site;
  const last = call.arguments.at(-1);
  if (configuresOnly || last === undefined) return [];
  const taken = [
    ...(isImplicit(site) ? ['use_reentrant=True'] : []),
    ...(given.openKeywords || keywordNamed(given, preserve) !== undefined ? [] : [`${preserve}=True`]),
  ];
  const end = places.at({ start: call.end - 1, end: call.end - 1 })?.range.start;
  if (end === undefined || taken.length === 0) return [];
  const tooltip = [
    ...(isImplicit(site)
      ? ['torch takes the reentrant variant where use_reentrant is not given, and warns from 2.1 on']
      : []),
    `${preserve}: random numbers are drawn the same in the replay; saving and restoring the state takes time`,
  ];
  const hasComma = text
    .slice(last.end, call.end - 1)
    .replace(/#.*/g, '')
    .includes(',');
  return [
    {
      position: end,
      label: `${hasComma ? ' ' : ', '}${taken.join(', ')}`,
      kind: InlayHintKind.Parameter,
      tooltip: tooltip.join('\n'),
    },
  ];
}

const preserve = 'preserve_rng_state';

function variantOfSwitch({ sites, facts, visible, places, uri }: HintSubjects): InlayHint[] {
  const { value, origin } = facts?.run.checkpointing ?? {};
  const place = origin !== undefined && 'place' in origin ? origin.place : undefined;
  if (value?.variant === undefined || place?.path !== uri || !overlaps(place.span, visible)) return [];
  // A call of torch's own says so itself.
  if (sites.some(({ call }) => overlaps(call, place.span))) return [];
  const position = places.at(place.span)?.range.end;
  if (position === undefined) return [];
  return [{ position, label: value.variant, paddingLeft: true, tooltip: 'The variant that runs here' }];
}
