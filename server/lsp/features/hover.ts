import { type Hover, MarkupKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { keywordNamed } from '../../core/python/arguments.ts';
import type { CheckpointSite } from '../../core/sites/checkpointSite.ts';
import { variantTable } from '../../core/sites/describeVariant.ts';
import { toRange } from '../convert.ts';

/** What the variant of a checkpoint call does, on the call's name and on its `use_reentrant`. */
export function hover(document: TextDocument, sites: readonly CheckpointSite[], offset: number): Hover | undefined {
  for (const site of sites) {
    const argument = keywordNamed(site.given, 'use_reentrant');
    const spans =
      argument === undefined || argument.preset ? [site.call.callee] : [site.call.callee, argument.argument];
    const span = spans.find(({ start, end }) => start <= offset && offset <= end);
    if (span === undefined) continue;
    return { range: toRange(document, span), contents: { kind: MarkupKind.Markdown, value: variantTable(site) } };
  }
  return undefined;
}
