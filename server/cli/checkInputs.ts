import { configFormatOf } from '../core/config/configFile.ts';
import type { CheckedFile, CheckReport } from '../core/report/checkedFile.ts';
import { checkNotebook, isNotebook, largestNotebookBytes } from './checkNotebook.ts';
import { checkSource, type LintRequest } from './checkSource.ts';
import { attempt, type Problem, reason } from './problem.ts';
import { decodeSource, encodeSource, largestSourceBytes, mayHaveFindings } from './pythonSource.ts';
import type { Tools } from './tools.ts';

/** One thing to check: a file, or standard input. */
export interface Input {
  readonly path: string;
  /** Both throw what the file system throws. */
  read(): Uint8Array;
  write(content: Uint8Array): void;
}

export interface CheckOptions extends LintRequest {
  readonly fix: boolean;
  /** Called when it is first needed; most files never mention a checkpoint. */
  load(): Promise<Tools>;
  sayFixed(path: string, codes: readonly string[]): void;
  /** Something a person should know that is no problem with the input. */
  sayNote(note: Problem): void;
}

export interface CheckOutcome extends CheckReport {
  readonly problems: readonly Problem[];
}

export async function checkInputs(inputs: readonly Input[], options: CheckOptions): Promise<CheckOutcome> {
  const problems: Problem[] = [];
  const withFindings: CheckedFile[] = [];
  let otherFiles = 0;
  for (const input of inputs) {
    const bytes = attempt(input.path, problems, () => input.read());
    const isConfig = configFormatOf(input.path) !== undefined;
    if (bytes === undefined || !mayHaveFindings(bytes, isConfig)) {
      // Most files that may be settings by their name are data; they were not what a person wanted checked.
      if (isConfig) otherFiles++;
      continue;
    }
    const largest = isNotebook(input.path) ? largestNotebookBytes : largestSourceBytes;
    if (bytes.byteLength > largest) {
      options.sayNote({ path: input.path, message: `not checked: larger than ${largest / 1e6} MB` });
      continue;
    }
    const tools = await options.load();
    const checked = attempt(input.path, problems, () => checkInput(input, bytes, tools, options, problems));
    if (checked !== undefined && checked.diagnostics.length > 0) withFindings.push(checked);
  }
  return { files: inputs.length - otherFiles, withFindings, problems };
}

function checkInput(
  { path, write }: Input,
  bytes: Uint8Array,
  tools: Tools,
  options: CheckOptions,
  problems: Problem[],
): CheckedFile | undefined {
  const source = decodeSource(bytes);
  const result = (isNotebook(path) ? checkNotebook : checkSource)(path, source, tools, options, options.fix);
  if ('problem' in result) {
    if (result.isDamaged) throw new Error(result.problem);
    options.sayNote({ path, message: result.problem });
    return undefined;
  }
  const { fixed, notFixed, ...unfixed } = result;
  if (notFixed !== undefined) options.sayNote({ path, message: `not fixed: ${notFixed}` });
  if (fixed === undefined) return { path, ...unfixed };
  try {
    write(encodeSource(fixed.text, source));
  } catch (error) {
    problems.push({ path, message: `not fixed: ${reason(error)}` });
    return { path, ...unfixed };
  }
  const { codes, ...left } = fixed;
  options.sayFixed(path, codes);
  return { path, ...left };
}
