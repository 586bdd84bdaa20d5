import type { SourceFile, Workspace } from './workspace.ts';

/** Splits `package.module.Class.method` into the longest part that is a file, and the rest. */
export function splitAtModule(
  qualified: string,
  from: string,
  workspace: Workspace,
): { file: SourceFile; rest: string[] } | undefined {
  const dots = /^\.*/.exec(qualified)?.[0].length ?? 0;
  const parts = qualified
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const bases = dots > 0 ? [ancestor(from, dots)] : [...workspace.roots, ancestor(from, 1)];
  for (const base of bases) {
    const most = leadsOn(`${base}/${parts[0]}`, workspace) ? parts.length : 0;
    for (let count = most; count >= (dots > 0 ? 0 : 1); count--) {
      const stem = [base, ...parts.slice(0, count)].join('/');
      const file = (count > 0 ? workspace.file(`${stem}.py`) : undefined) ?? workspace.file(`${stem}/__init__.py`);
      if (file !== undefined && file.path !== from) return { file, rest: parts.slice(count) };
    }
  }
  return undefined;
}

function leadsOn(stem: string, workspace: Workspace): boolean {
  if (workspace.mayHold === undefined) return true;
  const known = stems.get(workspace) ?? new Map<string, boolean>();
  stems.set(workspace, known);
  const leads = known.get(stem) ?? workspace.mayHold(stem);
  known.set(stem, leads);
  return leads;
}

/** A workspace is one view of the files, and every name of a library is looked up in it. */
const stems = new WeakMap<Workspace, Map<string, boolean>>();

/** The folder `levels` above a file: one for its own folder, two for the folder around that. */
const ancestor = (path: string, levels: number): string => path.split('/').slice(0, -levels).join('/');

/** A relative name as an absolute one; other names as they are. */
export function absolute(qualified: string, file: SourceFile, workspace: Workspace): string {
  const dots = /^\.*/.exec(qualified)?.[0].length ?? 0;
  if (dots === 0) return qualified;
  const folder = ancestor(file.path, dots);
  return [dotted(folder, workspace), qualified.slice(dots)].filter((part) => part !== '').join('.');
}

/** The dotted name a file is imported by. */
export const absoluteName = (file: SourceFile, workspace: Workspace): string =>
  dotted(file.path.replace(/(\/__init__)?\.py$/, ''), workspace);

function dotted(path: string, { roots }: Workspace): string {
  const root = roots.find((one) => path.startsWith(`${one}/`));
  return (root === undefined ? path : path.slice(root.length + 1)).replaceAll('/', '.');
}
