import type { Fix } from '../lint/rule.ts';
import { setUseReentrant } from '../lint/setUseReentrant.ts';
import type { Module } from '../python/ast.ts';
import { type CheckpointSite, isImplicit } from '../sites/checkpointSite.ts';

/** Makes calls non-reentrant together; none where one of them leaves no room for the keyword. */
export function switchToNonReentrant(module: Module, sites: readonly CheckpointSite[], preferred: boolean): Fix[] {
  const edits = sites.map((site) => setUseReentrant(module, site, false));
  if (!edits.every((one) => one !== undefined)) return [];
  const verb = sites.every(isImplicit) ? 'Add' : 'Change to';
  return [{ title: `${verb} use_reentrant=False`, preferred, edits: edits.flat() }];
}
