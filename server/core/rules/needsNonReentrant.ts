import { type GivenKeyword, keywordNamed } from '../python/arguments.ts';
import { constantOf } from '../python/constants.ts';
import type { Names } from '../python/names.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import { checkpointKeywords, noopContextFn } from '../torch/checkpointApi.ts';
import { misspeltOption } from '../torch/misspeltOption.ts';

/** Options that only the non-reentrant variant has; the reentrant one raises for them. */
const nonReentrantOptions = ['context_fn', 'debug', 'respect_saved_tensors_hooks'] as const;

/** Keywords of a call that would go on to the region's function; a misspelt option was not meant to. */
export function forwardedKeywords(site: CheckpointSite): readonly GivenKeyword[] {
  if (site.function !== 'checkpoint') return [];
  return site.given.keywords.filter(({ name }) => !checkpointKeywords.has(name) && misspeltOption(name) === undefined);
}

/** Options of a call that raise under the reentrant variant with the value they certainly have. */
export function nonReentrantOnly(site: CheckpointSite, names: Names): readonly GivenKeyword[] {
  if (site.function !== 'checkpoint') return [];
  return nonReentrantOptions.flatMap((name) => {
    const keyword = keywordNamed(site.given, name);
    return keyword !== undefined && isSetForCertain(keyword, names) ? [keyword] : [];
  });
}

/** A call that cannot run reentrant: keeping that variant would keep an exception. */
export const needsNonReentrant = (site: CheckpointSite, names: Names): boolean =>
  forwardedKeywords(site).length > 0 || nonReentrantOnly(site, names).length > 0;

/**
 * torch compares with the defaults: `context_fn is not noop_context_fn`, `debug is not False`. A value that may be the
 * default, such as a parameter handed through, says nothing.
 */
export function isSetForCertain({ name, value }: GivenKeyword, names: Names): boolean {
  if (name === 'context_fn') {
    if (value.kind === 'call' || value.kind === 'lambda') return true;
    if (value.kind === 'constant') return true;
    const { targets, complete } = names.resolve(value);
    return complete && targets.length > 0 && targets.every((target) => target.qualified !== noopContextFn);
  }
  const constant = constantOf(value, names);
  if (constant === undefined) return false;
  return name === 'debug' ? constant !== false : constant === true;
}
