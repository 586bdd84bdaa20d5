import { type InlayHint, InlayHintKind } from 'vscode-languageserver';
import { type CheckpointSite, isImplicit } from '../../core/sites/checkpointSite.ts';
import type { Span } from '../../core/text/span.ts';
import type { Places } from '../places.ts';

/** The variant that torch takes where a call does not say which, as if it were written. */
export function inlayHints(sites: readonly CheckpointSite[], visible: Span, places: Places): InlayHint[] {
  return sites.flatMap((site) => {
    const { call } = site;
    if (!isImplicit(site) || site.configuresOnly || call.end < visible.start || call.start > visible.end) return [];
    const end = places.at({ start: call.end - 1, end: call.end - 1 })?.range.start;
    if (end === undefined || call.arguments.length === 0) return [];
    const hint: InlayHint = {
      position: end,
      label: ', use_reentrant=True',
      kind: InlayHintKind.Parameter,
      tooltip: 'torch takes the reentrant variant where use_reentrant is not given, and warns from 2.1 on',
    };
    return [hint];
  });
}
