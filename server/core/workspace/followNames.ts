import type { NameKnowledge, Resolution, Target } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import type { Binding } from '../python/scope.ts';
import { definedInText, givesNothingBack } from './definedInText.ts';
import { askDefinition, inPartOf } from './definitions.ts';
import { importedInText } from './importedInText.ts';
import { absolute, absoluteName, splitAtModule } from './moduleNames.ts';
import type { SourceFile, Workspace } from './workspace.ts';

/**
 * Follows names out of one file: through re-exports to the library they come from, through aliases and `partial` to what
 * they stand for there. A name the workspace defines itself comes back under its absolute name.
 */
export function following(path: string, workspace: Workspace): Required<Pick<NameKnowledge, 'follow' | 'followCall'>> {
  const known = new Map<string, Resolution | undefined>();
  const remembering = (key: string, find: () => Resolution | undefined): Resolution | undefined => {
    if (known.has(key)) return known.get(key);
    // Files that import each other come back here: the second time there is nothing to add.
    known.set(key, undefined);
    const found = find();
    known.set(key, found);
    return found;
  };
  return {
    follow: (qualified, always) =>
      remembering(qualified, () => {
        const found = splitAtModule(qualified, path, workspace);
        const [first, ...rest] = found?.rest ?? [];
        if (found === undefined || first === undefined) return undefined;
        if (!always && !mayLeadOn(found.file)) return undefined;
        if (definedInText(found.file, first) !== undefined) return only(nameOf(found.file, found.rest));
        return answeredBy(found.file, found.rest.join('.'), () => {
          const imported = importedInText(found.file, first);
          if (imported !== undefined && found.file.follow !== undefined) {
            return found.file.follow(absolute([imported, ...rest].join('.'), found.file, workspace));
          }
          return inPartOf(found.file, first, (file) => {
            const bindings = file.names.moduleBindings(first);
            if (bindings.length === 0) return undefined;
            return unionOf(bindings.map((binding) => led(binding, [first, ...rest], file)));
          });
        });
      }),
    followCall: (qualified) =>
      remembering(`${qualified}()`, () => {
        const found = splitAtModule(qualified, path, workspace);
        if (found === undefined || found.rest.length === 0 || givesNothingBack(found.file, found.rest))
          return undefined;
        return answeredBy(found.file, `${found.rest.join('.')}()`, () => {
          return askDefinition(qualified, path, workspace, ({ file, definition }) =>
            definition.kind === 'function' ? carriedOver(file.names.returned(definition), file, workspace) : undefined,
          );
        });
      }),
  };

  /** Whoever asks from the same roots gets the same answer. */
  function answeredBy(
    { answers }: SourceFile,
    key: string,
    find: () => Resolution | undefined,
  ): Resolution | undefined {
    if (answers === undefined) return find();
    const fromHere = [key, ...workspace.roots].join('\n');
    if (!answers.has(fromHere)) answers.set(fromHere, find());
    return answers.get(fromHere);
  }

  function nameOf(file: SourceFile, names: readonly string[]): string {
    return [absoluteName(file, workspace), ...names].join('.');
  }

  function led(binding: Binding, names: readonly string[], file: SourceFile): Resolution {
    const [, ...rest] = names;
    switch (binding.to) {
      case 'definition':
        return only(nameOf(file, names));
      case 'import': {
        const next = absolute([binding.qualified, ...rest].join('.'), file, workspace);
        return file.names.follow(next);
      }
      case 'value':
        return rest.length > 0 ? nothingKnown : carriedOver(file.names.resolve(binding.value), file, workspace);
      default:
        return nothingKnown;
    }
  }
}

/** Only a package's own file or one that speaks of checkpointing can lead a name to where it matters. */
const mayLeadOn = oncePer(
  ({ path, text }: SourceFile): boolean => path.endsWith('/__init__.py') || text.includes('checkpoint'),
);

const nothingKnown: Resolution = { targets: [], complete: false };

const only = (qualified: string): Resolution => ({
  targets: [{ qualified, definition: undefined, preset: [] }],
  complete: true,
});

const unionOf = (all: readonly Resolution[]): Resolution => ({
  targets: all.flatMap(({ targets }) => targets),
  complete: all.every(({ complete }) => complete),
});

/** A resolution made in `file`, in words that hold elsewhere. Preset arguments come along only where they are literals. */
function carriedOver({ targets, complete }: Resolution, file: SourceFile, workspace: Workspace): Resolution {
  const carried = targets.map((target): Target | undefined => {
    const literal = target.preset.every(
      ({ value }) => value.kind === 'constant' || value.kind === 'number' || value.kind === 'string',
    );
    if (!literal) return undefined;
    if (target.qualified !== undefined) return { ...target, qualified: absolute(target.qualified, file, workspace) };
    if (target.definition === undefined || target.definition.kind === 'lambda') return undefined;
    const isTopLevel = file.module.body.includes(target.definition);
    const qualified = `${absoluteName(file, workspace)}.${target.definition.name.name}`;
    return isTopLevel ? { ...target, qualified, definition: undefined } : undefined;
  });
  const whole = carried.filter((target) => target !== undefined);
  return { targets: whole, complete: complete && whole.length === targets.length };
}
