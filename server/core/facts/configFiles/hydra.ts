import { settingsTree } from '../../config/settingsTree.ts';
import { type ConfigMapping, valueAt } from '../../config/tree.ts';
import type { Call } from '../../python/ast.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import { lastName, type Source } from '../source.ts';
import { type Given, givenInTree } from './given.ts';
import { baseName, folderOf, pathsMeant, type RunsAround } from './nearbyFiles.ts';
import { placesIn } from './settingsSource.ts';

/** Files of a composition beyond this are no person's. */
const mostParts = 30;

/**
 * The settings that `@hydra.main(config_path="conf", config_name="train")` gives to a function, composed as its list of
 * defaults says: groups below their own key, the file's own values over them. Undefined where the files are not there.
 */
export function hydraSettings(source: Source, file: SourceFile, around: RunsAround): Given | undefined {
  const decorator = file.module.body
    .flatMap((statement) => (statement.kind === 'function' ? statement.decorators : []))
    .find((one): one is Call => one.kind === 'call' && lastName(one.callee) === 'main' && isHydra(source, one));
  if (decorator === undefined) return undefined;
  const { fields } = source.givenTo(decorator);
  const [folder, name] = ['config_path', 'config_name'].map((argument) => {
    const value = fields.get(argument)?.value;
    return value === undefined ? undefined : source.read(value)?.value;
  });
  if (typeof name !== 'string') return undefined;
  const parts: Part[] = [];
  gather(`${typeof folder === 'string' ? folder : '.'}/${name.replace(/\.ya?ml$/, '')}`, '', file.path, around, parts);
  return parts.length === 0 ? undefined : composed(baseName(file.path), parts);
}

const isHydra = (source: Source, { callee }: Call): boolean => source.names.qualifiedName(callee) === 'hydra.main';

interface Part {
  /** The key below which the file's values are; empty for the top. */
  readonly below: string;
  readonly given: Given;
}

function gather(stem: string, below: string, from: string, around: RunsAround, parts: Part[]): void {
  const { workspace } = around;
  if (workspace?.text === undefined || parts.length >= mostParts) return;
  for (const written of [`${stem}.yaml`, `${stem}.yml`]) {
    // Paths of a group are meant from the folder of the file that names it, and nowhere else.
    const [path] = pathsMeant({ written, from }, workspace);
    const text = path === undefined ? undefined : workspace.text(path);
    const root = path === undefined || text === undefined ? undefined : settingsTree(path, text);
    if (path === undefined || text === undefined || root === undefined) continue;
    const isKnown = parts.some(({ given }) => given.source === path);
    if (isKnown) return;
    parts.push({ below, given: givenInTree(path, root, text, placesIn(text, around.placeName(path))) });
    for (const [group, choice] of defaultsOf(root)) {
      const next = group === '' ? choice : `${group}/${choice}`;
      const key = group.replace(/^\//, '').replace(/^.*@/, '').replaceAll('/', '.');
      gather(next, [below, key].filter((part) => part !== '').join('.'), `${folderOf(path)}/x`, around, parts);
    }
    return;
  }
}

/** `defaults: [_self_, {model: gpt_small}, {override /data: c4}]` as pairs of group and choice. */
function defaultsOf(root: ConfigMapping): readonly (readonly [group: string, choice: string])[] {
  const list = valueAt(root, 'defaults');
  if (list?.kind !== 'sequence') return [];
  return list.items.flatMap((item): (readonly [string, string])[] => {
    if (item.kind === 'scalar')
      return typeof item.value === 'string' && item.value !== '_self_' ? [['', item.value]] : [];
    if (item.kind !== 'mapping') return [];
    return item.entries.flatMap(({ key, value }): (readonly [string, string])[] =>
      value.kind === 'scalar' && typeof value.value === 'string'
        ? [[key.replace(/^(override|optional) +/, ''), value.value]]
        : [],
    );
  });
}

/** Earlier parts win: a file is before the groups it names. */
function composed(source: string, parts: readonly Part[]): Given {
  const inside = ({ below }: Part, path: string): string | undefined =>
    below === '' ? path : path.startsWith(`${below}.`) ? path.slice(below.length + 1) : undefined;
  const firstOf = <T>(path: string, look: (given: Given, inner: string) => T | undefined): T | undefined => {
    for (const part of parts) {
      const inner = inside(part, path);
      const found = inner === undefined ? undefined : look(part.given, inner);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    source,
    notes: [],
    find(...names) {
      for (const name of names) {
        const found = firstOf(name, (given, inner) => given.find(inner));
        if (found !== undefined) return found;
      }
      return undefined;
    },
    section: (path) => firstOf(path, (given, inner) => given.section(inner)),
    names: (path) => [
      ...new Set(
        parts.flatMap((part) => {
          const inner = path === '' || part.below === path ? '' : inside(part, path);
          if (path === '' && part.below !== '') return [part.below.split('.')[0] ?? ''];
          return inner === undefined ? [] : part.given.names(inner);
        }),
      ),
    ],
  };
}
