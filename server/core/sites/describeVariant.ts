import type { CheckpointSite } from './checkpointSite.ts';

/** One row for each difference that decides between the variants; measured on torch 2.13 and 2.14. */
const rows: readonly (readonly [what: string, reentrant: string, nonReentrant: string])[] = [
  ['Forward', 'under `no_grad`, no graph', 'records the graph'],
  ['Recompute in backward', 'the whole region', 'until all needed tensors exist'],
  ['Keyword arguments', '`ValueError`', 'go to the function'],
  ['Selective (`context_fn`)', '`ValueError`', 'works'],
  ['`torch.autograd.grad`', '`RuntimeError`', 'works'],
  ['No input requires grad', 'gradients are lost', 'works'],
  ['Tensors in lists or dicts', 'gradients can be lost', 'work'],
];

/** Markdown for a hover: which variant this call takes and why, and how the two differ. */
export function variantTable(site: CheckpointSite): string {
  const { useReentrant } = site;
  const mark = (reentrant: boolean): string =>
    useReentrant.kind === 'unknown'
      ? ''
      : (useReentrant.kind === 'known' ? useReentrant.reentrant : true) === reentrant
        ? ' ← this call'
        : '';
  const lines = [
    `**${site.function}**: ${reason(site)}`,
    '',
    `| | reentrant${mark(true)} | non-reentrant${mark(false)} |`,
    '|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
  if (site.function === 'checkpoint_sequential') {
    lines.push('', 'The last segment runs without checkpointing: its activations are needed first in backward anyway.');
  }
  return lines.join('\n');
}

function reason({ useReentrant, configuresOnly }: CheckpointSite): string {
  switch (useReentrant.kind) {
    case 'absent':
      return configuresOnly ? 'configures a region' : 'reentrant, because `use_reentrant` is not given';
    case 'none':
      return 'reentrant, because `use_reentrant=None` counts as not given';
    case 'known':
      return `${useReentrant.reentrant ? 'reentrant' : 'non-reentrant'}, as given`;
    case 'unknown':
      return 'the variant is not known here';
  }
}
