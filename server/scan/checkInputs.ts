import { configFormatOf } from '../core/config/configFile.ts';
import type { Diagnostic } from '../core/lint/rule.ts';
import type { CheckedFile, CheckReport } from '../core/report/checkedFile.ts';
import type { Span } from '../core/text/span.ts';
import type { KnownResults } from './cache/knownResults.ts';
import { checkNotebook, isNotebook } from './checkNotebook.ts';
import { checkSource, type LintRequest } from './checkSource.ts';
import { whyNotChecked } from './notCheckable.ts';
import { attempt, type Problem, reason } from './problem.ts';
import { decodeSource, encodeSource, isBinary, mayHaveFindings } from './pythonSource.ts';
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
  let findings = 0;
  const found = (file: CheckedFile): void => {
    withFindings.push(file);
    findings += file.diagnostics.length;
    options.sayFound(file);
  };
  let otherFiles = 0;
  for (const [index, input] of inputs.entries()) {
    if (!(await options.next({ checked: index - otherFiles, findings }))) {
      // What was kept of the files behind would be lost with what is kept now.
      return { files: index - otherFiles, withFindings, problems, stoppedAt: input.path };
    }
    const bytes = attempt(input.path, problems, () => input.read());
    if (bytes === undefined) continue;
    const isConfig = configFormatOf(input.path) !== undefined;
    const mayHave = mayHaveFindings(bytes, isConfig);
    // A large file that never says a word rules are about is as clean as a small one.
    const why = mayHave || isBinary(bytes) ? whyNotChecked(input.path, bytes) : undefined;
    if (why !== undefined && (input.isGiven || !isConfig)) say.notChecked(input, why);
    if (why !== undefined || !mayHave) {
      // Most files that may be settings by their name are data; they were not what a person wanted checked.
      if (isConfig && !input.isGiven) otherFiles++;
      continue;
    }
    const known = options.known?.find(input.path, bytes);
    if (known !== undefined) {
      if (known.length > 0) found({ path: input.path, text: decodeSource(bytes).text, diagnostics: known });
      continue;
    }
    const tools = await options.load();
    let hasCrashed = false;
    const onCrash: CheckOptions['onCrash'] = (rule, error) => {
      hasCrashed = true;
      options.onCrash(rule, error);
    };
    const checked = attempt(input.path, problems, () => checkInput(input, bytes, tools, { ...options, onCrash }, say));
    if (checked === undefined) continue;
    const diagnostics = checked.diagnostics.map(plainDiagnostic);
    if (diagnostics.length > 0) found({ ...checked, diagnostics });
    // The findings of a notebook are told by its cells, which are not kept.
    const isWhole = !hasCrashed && (checked.notebook === undefined || diagnostics.length === 0);
    if (isWhole) options.known?.add(input.path, bytes, diagnostics);
  }
  options.known?.save();
  return { files: inputs.length - otherFiles, withFindings, problems, stoppedAt: undefined };
}

/** Without the trees that spans may be part of: a report needs places, and the trees of all files are a lot of memory. */
function plainDiagnostic({ code, name, severity, at, about, message, fixes }: Diagnostic): Diagnostic {
  return {
    code,
    name,
    severity,
    at: plainSpan(at),
    about: plainSpan(about),
    message,
    fixes: fixes.map(({ title, preferred, edits }) => ({
      title,
      preferred,
      edits: edits.map(({ span, text }) => ({ span: plainSpan(span), text })),
    })),
  };
}

const plainSpan = ({ start, end }: Span): Span => ({ start, end });

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
