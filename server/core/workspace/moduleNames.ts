import type { SourceFile, Workspace } from './workspace.ts';

/** Splits `package.module.Class.method` into the longest part that is a file, and the rest. */
export function splitAtModule(
  qualified: string,
  from: string,
  workspace: Workspace,
): { file: SourceFile; rest: string[] } | undefined {
  const dots = leadingDots(qualified);
  const bases = dots > 0 ? [ancestor(from, dots)] : basesWith(firstPart(qualified), ancestor(from, 1), workspace);
  if (bases.length === 0) return undefined;
  const parts = qualified
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  for (const base of bases) {
    // The package that a relative name is looked up from may have it itself, so that base stays where nothing leads on.
    const most = dots === 0 || leadsOn(`${base}/${parts[0]}`, workspace) ? parts.length : 0;
    for (let count = most; count >= (dots > 0 ? 0 : 1); count--) {
      const stem = [base, ...parts.slice(0, count)].join('/');
      const file = (count > 0 ? workspace.file(`${stem}.py`) : undefined) ?? workspace.file(`${stem}/__init__.py`);
      if (file !== undefined && file.path !== from) return { file, rest: parts.slice(count) };
    }
  }
  return undefined;
}

function leadingDots(qualified: string): number {
  let dots = 0;
  while (qualified[dots] === '.') dots++;
  return dots;
}

function firstPart(qualified: string): string {
  const end = qualified.indexOf('.');
  return end < 0 ? qualified : qualified.slice(0, end);
}

/** Where a module or package of that name may be: for most names nowhere, since they are a library's. */
function basesWith(name: string, folder: string, workspace: Workspace): readonly string[] {
  const known = basesOf.get(workspace) ?? new Map<string, readonly string[]>();
  basesOf.set(workspace, known);
  const key = `${folder}/${name}`;
  const bases = known.get(key) ?? [...workspace.roots, folder].filter((base) => leadsOn(`${base}/${name}`, workspace));
  known.set(key, bases);
  return bases;
}

const leadsOn = (stem: string, workspace: Workspace): boolean =>
  workspace.mayHold === undefined || workspace.mayHold(stem);

/** A workspace is one view of the files, and every name of a library is looked up in it. */
const basesOf = new WeakMap<Workspace, Map<string, readonly string[]>>();

/** The folder `levels` above a file: one for its own folder, two for the folder around that. */
function ancestor(path: string, levels: number): string {
  let end = path.length;
  for (let level = 0; level < levels && end > 0; level++) end = Math.max(path.lastIndexOf('/', end - 1), 0);
  return path.slice(0, end);
}

/** A relative name as an absolute one; other names as they are. */
export function absolute(qualified: string, file: SourceFile, workspace: Workspace): string {
  const dots = leadingDots(qualified);
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
