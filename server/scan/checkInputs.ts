import { configFormatOf } from '../core/config/configFile.ts';
import type { Diagnostic } from '../core/lint/rule.ts';
import type { CheckedFile, CheckReport } from '../core/report/checkedFile.ts';
import type { KnownResults } from './cache/knownResults.ts';
import { checkNotebook, isNotebook } from './checkNotebook.ts';
import { checkSource, type LintRequest } from './checkSource.ts';
import { whyNotChecked } from './notCheckable.ts';
import { plainDiagnostic } from './plainDiagnostic.ts';
import { attempt, type Problem, reason } from './problem.ts';
import { decodeSource, encodeSource, isBinary, mayHaveFindings } from './pythonSource.ts';
import type { CheckingThreads } from './threads/checkingThreads.ts';
import type { Tools } from './tools.ts';

/** One thing to check: a file, or standard input. */
export interface Input {
  readonly path: string;
  /** Given by a person itself, not found in a folder. */
  readonly isGiven: boolean;
  /** Both throw what the file system throws. */
  read(): Uint8Array;
  write(content: Uint8Array): void;
}

/** How far a scan is. */
export interface ScanState {
  readonly checked: number;
  readonly findings: number;
}

export interface CheckOptions extends LintRequest {
  readonly fix: boolean;
  /** What need not be checked again; absent where everything is. */
  readonly known?: KnownResults | undefined;
  /** Absent where all is checked in this thread. */
  readonly threads?: CheckingThreads | undefined;
  /** Called when it is first needed; most files never mention a checkpoint. */
  load(): Promise<Tools>;
  sayFixed(path: string, codes: readonly string[]): void;
  /** Something a person should know that is no problem with the input. */
  sayNote(note: Problem): void;
  /** Before each file: whether to go on. */
  next(state: ScanState): Promise<boolean>;
  /** A file with findings, as soon as it is checked; files come in the order of the report. */
  sayFound(file: CheckedFile): void;
}

export interface CheckOutcome extends CheckReport {
  readonly problems: readonly Problem[];
  /** Where somebody stopped it, the first file that was not checked: nor were those behind it. */
  readonly stoppedAt: string | undefined;
}

export async function checkInputs(inputs: readonly Input[], options: CheckOptions): Promise<CheckOutcome> {
  const problems: Problem[] = [];
  const say: Say = {
    problem: (problem) => problems.push(problem),
    // A file somebody asked about must not look clean; one that only lies in a folder ends nothing.
    notChecked({ path, isGiven }, message) {
      if (isGiven) problems.push({ path, message });
      else options.sayNote({ path, message });
    },
  };
  const withFindings: CheckedFile[] = [];
  /** What is looked at by other threads, and what came behind it: files are told in their order. */
  const waiting: Waiting[] = [];
  const mostWaiting = options.threads?.mostUnderWay ?? 1;
  let findings = 0;
  let otherFiles = 0;
  const mayGoOn = (checked: number): Promise<boolean> => options.next({ checked, findings });
  const takeFirst = async (): Promise<void> => {
    const file = await waiting.shift()?.result;
    if (file === undefined || file.diagnostics.length === 0) return;
    withFindings.push(file);
    findings += file.diagnostics.length;
    options.sayFound(file);
  };
  // What was kept of the files behind would be lost with what is kept now.
  const stopped = (here: Pick<Waiting, 'path' | 'checked'>): CheckOutcome => {
    const { path, checked } = waiting[0] ?? here;
    return { files: checked, withFindings, problems, stoppedAt: path };
  };

  for (const [index, input] of inputs.entries()) {
    const here = { path: input.path, checked: index - otherFiles };
    if (!(await mayGoOn(here.checked))) return stopped(here);
    const isConfig = configFormatOf(input.path) !== undefined;
    const unread = options.known?.unread(input.path);
    // Most files that may be settings by their name are data; they were not what a person wanted checked.
    const isOther = isConfig && !input.isGiven;
    if (unread === 'irrelevant') {
      if (isOther) otherFiles++;
      continue;
    }
    if (unread?.length === 0) continue;
    const bytes = attempt(input.path, problems, () => input.read());
    if (bytes === undefined) continue;
    const mayHave = mayHaveFindings(bytes, isConfig ? 'config' : isNotebook(input.path) ? 'notebook' : 'python');
    // A large file that never says a word rules are about is as clean as a small one.
    const why = mayHave || isBinary(bytes) ? whyNotChecked(input.path, bytes) : undefined;
    if (why !== undefined && (input.isGiven || !isConfig)) say.notChecked(input, why);
    if (why !== undefined || !mayHave) {
      if (why === undefined) options.known?.addIrrelevant(input.path);
      if (isOther) otherFiles++;
      continue;
    }
    const one: Waiting = { ...here, result: lookAt(input, bytes, options, say), isDone: false };
    one.result = one.result.finally(() => {
      one.isDone = true;
    });
    waiting.push(one);
    while (waiting.length >= mostWaiting || waiting[0]?.isDone === true) await takeFirst();
  }
  for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
    if (!(await mayGoOn(first.checked))) return stopped(first);
    await takeFirst();
  }
  if (options.known !== undefined) {
    for (const notes of (await options.threads?.notes()) ?? []) options.known.learn(notes);
    options.known.save();
  }
  return { files: inputs.length - otherFiles, withFindings, problems, stoppedAt: undefined };
}

interface Waiting {
  readonly path: string;
  /** Files before it, as a report counts them. */
  readonly checked: number;
  result: Promise<CheckedFile | undefined>;
  isDone: boolean;
}

async function lookAt(
  input: Input,
  bytes: Uint8Array,
  options: CheckOptions,
  say: Say,
): Promise<CheckedFile | undefined> {
  const { path } = input;
  const { known, threads } = options;
  const before = known?.find(path, bytes);
  if (before !== undefined) return withText(path, bytes, before);
  // The cells of a notebook come with their trees, and what is fixed is read by those behind it.
  const answer = options.fix || isNotebook(path) ? undefined : await threads?.check(path, bytes);
  if (answer !== undefined) {
    if (answer.failed !== undefined) {
      say.problem({ path, message: answer.failed });
      return undefined;
    }
    for (const { code, message } of answer.crashes) {
      const rule = options.rules.find((one) => one.code === code);
      if (rule !== undefined) options.onCrash(rule, message);
    }
    if (answer.crashes.length === 0) known?.add(path, bytes, answer.diagnostics);
    return withText(path, bytes, answer.diagnostics);
  }
  const tools = await options.load();
  let hasCrashed = false;
  const onCrash: CheckOptions['onCrash'] = (rule, error) => {
    hasCrashed = true;
    options.onCrash(rule, error);
  };
  try {
    const checked = checkInput(input, bytes, tools, { ...options, onCrash }, say);
    if (checked === undefined) return undefined;
    const diagnostics = checked.diagnostics.map(plainDiagnostic);
    // The findings of a notebook are told by its cells, which are not kept.
    const isWhole = !hasCrashed && (checked.notebook === undefined || diagnostics.length === 0);
    if (isWhole) known?.add(path, bytes, diagnostics);
    return { ...checked, diagnostics };
  } catch (error) {
    say.problem({ path, message: reason(error) });
    return undefined;
  }
}

/** Most files have no findings, and then nobody asks for the text. */
const withText = (path: string, bytes: Uint8Array, diagnostics: readonly Diagnostic[]): CheckedFile => ({
  path,
  text: diagnostics.length === 0 ? '' : decodeSource(bytes).text,
  diagnostics,
});

interface Say {
  problem(problem: Problem): void;
  notChecked(input: Input, message: string): void;
}

function checkInput(
  input: Input,
  bytes: Uint8Array,
  tools: Tools,
  options: CheckOptions,
  say: Say,
): CheckedFile | undefined {
  const { path } = input;
  const source = decodeSource(bytes);
  const result = (isNotebook(path) ? checkNotebook : checkSource)(path, source, tools, options, options.fix);
  if ('problem' in result) {
    if (result.isDamaged) throw new Error(result.problem);
    say.notChecked(input, result.problem);
    return undefined;
  }
  const { fixed, notFixed, ...unfixed } = result;
  if (notFixed !== undefined) options.sayNote({ path, message: `not fixed: ${notFixed}` });
  if (fixed === undefined) return { path, ...unfixed };
  try {
    input.write(encodeSource(fixed.text, source));
  } catch (error) {
    say.problem({ path, message: `not fixed: ${reason(error)}` });
    return { path, ...unfixed };
  }
  const { codes, ...left } = fixed;
  options.sayFixed(path, codes);
  return { path, ...left };
}
