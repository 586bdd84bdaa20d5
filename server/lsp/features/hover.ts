import { type Hover, MarkupKind } from 'vscode-languageserver';
import { keywordNamed } from '../../core/python/arguments.ts';
import type { CheckpointSite } from '../../core/sites/checkpointSite.ts';
import { variantTable } from '../../core/sites/describeVariant.ts';
import type { Places } from '../places.ts';

/** What the variant of a checkpoint call does, on the call's name and on its `use_reentrant`. */
export function hover(places: Places, sites: readonly CheckpointSite[], offset: number): Hover | undefined {
  for (const site of sites) {
    const argument = keywordNamed(site.given, 'use_reentrant');
    const spans =
      argument === undefined || argument.preset ? [site.call.callee] : [site.call.callee, argument.argument];
    const span = spans.find(({ start, end }) => start <= offset && offset <= end);
    const range = span === undefined ? undefined : places.at(span)?.range;
    if (range === undefined) continue;
    return { range, contents: { kind: MarkupKind.Markdown, value: variantTable(site) } };
  }
  return undefined;
}
