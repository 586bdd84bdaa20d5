import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { CheckedFile } from '../../core/report/checkedFile.ts';
import { allRules } from '../../core/rules/generated/registry.ts';
import { LineIndex } from '../../core/text/lineIndex.ts';
import { absolutePath } from '../absolutePath.ts';
import { checkInputs, type Input } from '../checkInputs.ts';
import { crashReporter } from '../checkSource.ts';
import { excludedBy } from '../editorExcludes.ts';
import { findFiles } from '../findFiles.ts';
import { type Problem, problemLine } from '../problem.ts';
import { scanFor } from '../scan.ts';
import type { FromScan, PlacedFinding, ScannedFolder, ScanStart } from './messages.ts';

/** Goes through folders and tells of what it finds through the port. */
export async function scanForOthers(start: ScanStart, port: MessagePort): Promise<void> {
  const say = (message: FromScan): void => port.postMessage(message);
  const note = (text: string): void => say({ kind: 'note', text });
  try {
    const parts = partsOf(start, ({ path, message }) => note(problemLine({ path, message })));
    say({ kind: 'files', paths: parts.flatMap(({ files }) => files) });
    const onCrash = crashReporter(note);
    let checked = 0;
    for (const part of parts) checked += await scanPart(part, start, { say, note, onCrash, before: checked });
    say({ kind: 'end', files: checked });
  } catch (error) {
    say({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  port.close();
}

interface Part {
  readonly folder: ScannedFolder;
  readonly files: readonly string[];
}

/** A folder may lie in another one; its files are then looked at as it says. */
function partsOf({ folders, files }: ScanStart, onProblem: (problem: Problem) => void): Part[] {
  const innermostFirst = [...folders].sort((a, b) => b.path.length - a.path.length);
  const ownerOf = (file: string): ScannedFolder | undefined =>
    innermostFirst.find(({ path }) => file.startsWith(path.endsWith('/') ? path : `${path}/`));
  return folders.map((folder) => {
    const found = files ?? filesIn(folder, onProblem);
    return { folder, files: found.filter((file) => ownerOf(file) === folder) };
  });
}

function filesIn({ path, excluded }: ScannedFolder, onProblem: (problem: Problem) => void): readonly string[] {
  const { files, problems } = findFiles([path], 'python, notebooks and settings', [excludedBy(path, excluded)]);
  problems.forEach(onProblem);
  return files.map(absolutePath);
}

interface Listener {
  say(message: FromScan): void;
  note(text: string): void;
  readonly onCrash: ReturnType<typeof crashReporter>;
  /** Files that were checked in other folders. */
  readonly before: number;
}

/** Gives how many files were looked at. */
async function scanPart({ folder, files }: Part, start: ScanStart, listener: Listener): Promise<number> {
  const { say, note, onCrash, before } = listener;
  const { severities, versions } = folder;
  const roots = start.folders.map(({ path }) => path);
  const scan = scanFor({
    ...{ rules: allRules, versions, severities, isNarrowed: false, folders: roots, threads: start.threads },
    name: ['folder', folder.path, folder.excluded],
    usesCache: start.files === undefined,
  });
  let turned = performance.now();
  const outcome = await checkInputs(files.map(inputAt), {
    ...{ rules: allRules, versions, severities, isNarrowed: false, onCrash, fix: false },
    known: scan.known,
    threads: scan.threads,
    load: scan.tools.load,
    sayFixed: () => undefined,
    sayNote: (problem) => note(problemLine(problem)),
    async next({ checked }) {
      if (performance.now() - turned > turnMilliseconds) {
        say({ kind: 'state', checked: before + checked });
        await setImmediate();
        turned = performance.now();
      }
      return true;
    },
    sayFound: (file) => say({ kind: 'found', path: file.path, findings: placed(file) }),
  }).finally(scan.threads?.end);
  for (const problem of outcome.problems) note(problemLine(problem));
  return outcome.files;
}

/** How often it is told how far the scan is, and what other threads have to say is heard. */
const turnMilliseconds = 50;

const inputAt = (path: string): Input => ({
  path,
  isGiven: false,
  read: () => readFileSync(path),
  write() {
    throw new Error('a scan changes nothing');
  },
});

function placed({ text, diagnostics }: CheckedFile): PlacedFinding[] {
  const lines = new LineIndex(text);
  return diagnostics.map(({ code, severity, message, at }) => ({
    ...{ code, severity, message },
    start: lines.positionAt(at.start),
    end: lines.positionAt(at.end),
  }));
}
