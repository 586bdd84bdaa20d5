import { type IgnoreFile, ignoring } from './gitignore.ts';

/** What an editor's globs leave out of a folder, such as `third_party/**` or `*.{json,yaml}`, each as seen from the folder. */
export const excludedBy = (folder: string, globs: readonly string[]): IgnoreFile =>
  ignoring(folder, globs.flatMap(withoutBraces).map(asIgnorePattern).join('\n'));

/** A .gitignore takes a name without a folder for one at any depth, and gives some characters at the start a meaning. */
const asIgnorePattern = (glob: string): string => (/^(\*\*)?\//.test(glob) ? glob : `/${glob}`);

/** Globs may have alternatives in braces, which a .gitignore has not. */
function withoutBraces(glob: string): string[] {
  const group = /\{([^{}]*)\}/.exec(glob);
  if (group === null) return [glob];
  const [all, alternatives = ''] = group;
  const [before, behind] = [glob.slice(0, group.index), glob.slice(group.index + all.length)];
  return alternatives.split(',').flatMap((one) => withoutBraces(`${before}${one}${behind}`));
}
