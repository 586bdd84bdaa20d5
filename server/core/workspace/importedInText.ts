import { oncePer } from '../python/oncePer.ts';
import { mayBind } from './definedInText.ts';
import { sectionsIn } from './parts.ts';
import type { SourceFile } from './workspace.ts';

type Text = Pick<SourceFile, 'text'>;

/**
 * What a name is once its module has run, where the text alone tells that one import at the module's top brings it and nothing
 * else gives it a meaning: the name as the import has it, relative or not. Packages hand on what their modules define, and
 * such a name then needs no parsing. Undefined wherever the text could mean anything else.
 */
export function importedInText(file: Text, name: string): string | undefined {
  const { imported, otherCode } = importsIn(file);
  const [only, ...others] = imported.get(name) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  if (sectionsIn(file).some(({ defines }) => defines?.name === name)) return undefined;
  return otherCode.some((code) => mayBind(code, name)) ? undefined : only;
}

interface Imports {
  /** By the name they bind in the module. */
  readonly imported: ReadonlyMap<string, readonly string[]>;
  /** What is left of the module's code. */
  readonly otherCode: readonly string[];
}

const importsIn = oncePer((file: Text): Imports => {
  const imported = new Map<string, string[]>();
  const add = (name: string, qualified: string): void => {
    const same = imported.get(name);
    if (same === undefined) imported.set(name, [qualified]);
    else same.push(qualified);
  };
  const otherCode = sectionsIn(file).map(({ rest }) =>
    rest.replace(importStatement, (whole, source: string | undefined, names: string, modules: string | undefined) => {
      const written = entries(modules ?? names);
      if (written === undefined || source === '__future__') return whole;
      for (const { name, alias } of written) {
        const top = name.split('.', 1)[0] ?? name;
        if (source === undefined) add(alias ?? top, alias === undefined ? top : name);
        else add(alias ?? name, source.endsWith('.') ? source + name : `${source}.${name}`);
      }
      return '';
    }),
  );
  return { imported, otherCode: otherCode.filter((code) => code !== '') };
});

/** At the beginning of a line, where no condition and no function is around it, and with nothing but comments on its lines. */
const importStatement =
  /^(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([\s\w,"]*\)|[\w, \t]+)|import[ \t]+([\w., \t]+))[ \t]*(?:"")?\r?$/gm;

/** Undefined where it is not written as expected. */
function entries(list: string): readonly { readonly name: string; readonly alias: string | undefined }[] | undefined {
  const found = list
    .replace(/[()"]/g, '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => /^([\w.]+)(?:\s+as\s+(\w+))?$/.exec(one));
  return found.every((one) => one !== null) ? found.map((one) => ({ name: one[1] ?? '', alias: one[2] })) : undefined;
}
