import type { ClassDefinition, Expression, FunctionDefinition } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { Versions } from '../torch/version.ts';
import { splitAtModule } from '../workspace/moduleNames.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import { configExpression } from './configExpression.ts';
import { type OptionExpressions, type OptionsGiven, optionExpressions } from './optionsGiven.ts';
import type { Field, Fields, ReadValue, Source } from './source.ts';

/** The files around the one whose run is read. */
export interface FactsAround {
  readonly workspace: Workspace;
  /** The file's path in the workspace. */
  readonly file: string;
  /** How a place names a file of the workspace: its URI in the language server. */
  placeName(path: string): string;
  /** Versions of the libraries that the project runs on, as far as they are known: defaults differ between them. */
  readonly versions?: Versions | undefined;
  /** Where the script is started by a command line that is known. */
  readonly options?: OptionsGiven | undefined;
}

/** What an imported name stands for: a definition or the value it is bound to, in the file it stands in. */
export type Outside =
  | { readonly source: Source; readonly definition: ClassDefinition | FunctionDefinition }
  | { readonly source: Source; readonly value: Expression };

/**
 * The files that one detection looks into. Expressions and spans that one file takes over from another keep belonging to
 * where they stand: offsets mean nothing elsewhere.
 */
export interface Project {
  readonly versions: Versions;
  /** Undefined where nothing is known of how the script is started: its own defaults count then. */
  readonly options: OptionExpressions | undefined;
  /** Undefined for what belongs to the file that asks. */
  ownerOf(span: Span): Source | undefined;
  /** Hands what was read in `owner` to other files. */
  handOver<T extends ReadValue | Fields | Expression>(owner: Source, handed: T): T;
  own(owner: Source, spans: readonly Span[]): void;
  outside(qualified: string, from: string): Outside | undefined;
  /** The content of a configuration file (JSON, YAML, TOML) that code of the file `from` names, as an expression. */
  config(path: string, from: string): Expression | undefined;
}

/** Re-exports of re-exports end here; only a circle is longer. */
const longestChain = 12;
/** More files than this no run is spread over; every one of them has to be parsed. */
const mostFiles = 64;

/** `open` makes a file's source, `openExpression` that of a configuration file. */
export function openProject(
  around: FactsAround | undefined,
  open: (file: SourceFile, project: Project) => Source,
  openConfig: (path: string, text: string, root: Expression, project: Project) => Source,
): Project {
  const owners = new Map<Span, Source>();
  const sources = new Map<string, Source>();
  const configs = new Map<string, Expression | undefined>();
  const found = new Map<string, Outside | undefined>();
  const belongs = (span: Span | undefined, owner: Source): void => {
    if (span !== undefined && !owners.has(span)) owners.set(span, owner);
  };
  const project: Project = {
    versions: around?.versions ?? {},
    options: around?.options && optionExpressions(around.options),
    ownerOf: (span) => owners.get(span),
    handOver(owner, handed) {
      if ('fields' in handed) {
        for (const field of handed.fields.values()) ownField(field, owner);
        belongs(handed.open, owner);
      } else if ('options' in handed) {
        belongs(handed.at, owner);
        for (const { at } of handed.lost ?? []) belongs(at, owner);
      } else belongs(handed, owner);
      return handed;
    },
    own(owner, spans) {
      for (const span of spans) belongs(span, owner);
    },
    outside(qualified, from) {
      if (around === undefined) return undefined;
      const key = `${from}:${qualified}`;
      if (!found.has(key)) found.set(key, lookUp(around.workspace, qualified, from, 0));
      return found.get(key);
    },
    config(path, from) {
      const { workspace } = around ?? {};
      if (workspace?.text === undefined || !/\.(json|ya?ml|toml)$/i.test(path)) return undefined;
      const folder = from.slice(0, from.lastIndexOf('/'));
      // Paths are meant from where the script is started: beside it, or at the top of the project.
      for (const base of path.startsWith('/') ? [''] : [folder, ...workspace.roots]) {
        const whole = normalised(base === '' ? path : `${base}/${path}`);
        const found = configs.has(whole) ? configs.get(whole) : openText(whole, workspace.text(whole));
        configs.set(whole, found);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
  return project;

  function ownField({ value, at, unless, before }: Field, owner: Source): void {
    belongs(value, owner);
    belongs(at, owner);
    belongs(unless, owner);
    if (before !== undefined) ownField(before, owner);
  }

  function openText(path: string, text: string | undefined): Expression | undefined {
    const root = text === undefined ? undefined : configExpression(path, text);
    if (text === undefined || root === undefined) return undefined;
    return project.handOver(openConfig(path, text, root, project), root);
  }

  function sourceOf(file: SourceFile): Source | undefined {
    const known = sources.get(file.path);
    if (known !== undefined || sources.size >= mostFiles) return known;
    const opened = open(file, project);
    sources.set(file.path, opened);
    return opened;
  }

  function lookUp(workspace: Workspace, qualified: string, from: string, depth: number): Outside | undefined {
    const found = depth > longestChain ? undefined : splitAtModule(qualified, from, workspace);
    const [first, ...rest] = found?.rest ?? [];
    if (found === undefined || first === undefined) return undefined;
    const bindings = found.file.names.moduleBindings(first);
    const [binding] = bindings;
    if (bindings.length !== 1 || binding === undefined) return undefined;
    if (binding.to === 'import')
      return lookUp(workspace, [binding.qualified, ...rest].join('.'), found.file.path, depth + 1);
    const source = rest.length === 0 ? sourceOf(found.file) : undefined;
    if (source === undefined) return undefined;
    if (binding.to === 'definition') return { source, definition: binding.definition };
    return binding.to === 'value' ? { source, value: binding.value } : undefined;
  }
}

/** Without `.` and `..`. */
function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
