import type { Module } from '../python/ast.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import type { TextEdit } from '../text/edit.ts';
import { addKeyword } from './addKeyword.ts';

/** Makes a call choose its variant: changes the value it gives, or adds the keyword. Undefined where neither can be done. */
export function setUseReentrant(module: Module, site: CheckpointSite, reentrant: boolean): TextEdit[] | undefined {
  const value = reentrant ? 'True' : 'False';
  const given = site.useReentrant;
  if ((given.kind === 'none' || given.kind === 'known') && !given.preset) {
    return [{ span: { start: given.value.start, end: given.value.end }, text: value }];
  }
  return addKeyword(module, site.call, `use_reentrant=${value}`);
}
