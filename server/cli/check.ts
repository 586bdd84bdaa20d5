import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Rule } from '../core/lint/rule.ts';
import { counted, findingCount } from '../core/report/checkedFile.ts';
import { plain } from '../core/report/plain.ts';
import { parseVersion, type Versions } from '../core/torch/version.ts';
import { absolutePath } from '../scan/absolutePath.ts';
import { checkInputs, type Input } from '../scan/checkInputs.ts';
import { crashReporter } from '../scan/checkSource.ts';
import { findFiles } from '../scan/findFiles.ts';
import { type Problem, problemLine } from '../scan/problem.ts';
import { type Scan, type ScanRequest, scanFor } from '../scan/scan.ts';
import { mostThreads } from '../scan/threads/checkingThreads.ts';
import { loadableTools, type Tools } from '../scan/tools.ts';
import type { ExitCode } from './exitCode.ts';
import { choice, readFlags, UsageError, wholeNumber } from './flags.ts';
import { interruptedExitCode } from './interruption.ts';
import { type Format, findingsAsText, formats, reportAs, summaryAsText } from './reportAs.ts';
import { selectedRules } from './ruleSelection.ts';
import { scanWatch } from './scanWatch.ts';
import { print, readStandardInput, warn } from './terminal.ts';
import { replaceFile } from './writeFile.ts';

interface CheckRequest {
  readonly format: Format;
  readonly fix: boolean;
  readonly rules: readonly Rule[];
  readonly isNarrowed: boolean;
  readonly versions: Versions;
  readonly usesCache: boolean;
  readonly threads: number;
}

type Print = (text: string) => void;

/** `check [PATH…]` */
export async function check(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readFlags(args, {
    format: 'text',
    fix: 'switch',
    select: 'texts',
    ignore: 'texts',
    torch: 'text',
    'stdin-filename': 'text',
    threads: 'text',
    'no-cache': 'switch',
  });
  const request: CheckRequest = {
    format: choice('--format', values.format, formats) ?? 'text',
    fix: values.fix === true,
    rules: selectedRules(values.select, values.ignore),
    isNarrowed: values.select !== undefined || values.ignore !== undefined,
    versions: versionsOf(values.torch),
    usesCache: values['no-cache'] !== true,
    threads: wholeNumber('--threads', values.threads) ?? Math.min(availableParallelism() - 1, mostThreads),
  };
  const name = values['stdin-filename'];
  if (!positionals.includes('-')) {
    if (name !== undefined) throw new UsageError('--stdin-filename goes with `-`, which reads standard input');
    return checkFiles(positionals.length === 0 ? ['.'] : positionals, request);
  }
  if (positionals.length > 1) throw new UsageError('`-` reads standard input and goes with no other path');
  return checkStandardInput(name ?? '-', request);
}

/** A version as pip writes it: `2`, `2.4`, `2.4.1rc1`, `2.9.0+cu128`. */
const versionPattern = /^v?\d+(\.\d+)*(\.?(a|b|rc|dev|post)\d*)*(\+[\w.]+)?$/;

function versionsOf(text: string | undefined): Versions {
  if (text === undefined) return {};
  const version = versionPattern.test(text) ? parseVersion(text) : undefined;
  if (version === undefined) throw new UsageError(`--torch ${text}: not a version such as 2.4`);
  return { torch: version };
}

async function checkFiles(paths: readonly string[], request: CheckRequest): Promise<ExitCode> {
  const { files, given, problems, emptyFolders } = findFiles(paths, 'python, notebooks and settings');
  for (const folder of emptyFolders) warn(`${plain(folder)}: no Python files to check in it`);
  const inputs = files.map((file) => ({
    path: file,
    isGiven: given.has(file),
    read: () => readFileSync(file),
    write: (content: Uint8Array) => replaceFile(file, content),
  }));
  // A file or two are checked faster than it is found out that they need not be.
  const isScan = inputs.some(({ isGiven }) => !isGiven) && !request.fix;
  const scan = isScan ? scanFor({ ...scanRequest(request), name: paths }) : undefined;
  return checkAndReport(inputs, request, problems, print, scan).finally(scan?.threads?.end);
}

const scanRequest = ({ rules, isNarrowed, versions, usesCache, threads }: CheckRequest): Omit<ScanRequest, 'name'> => ({
  ...{ rules, isNarrowed, versions, usesCache, threads },
  folders: [absolutePath('.')],
  severities: {},
});

/** With `--fix` standard output is the fixed text, as an editor's or a formatter's filter wants it. */
async function checkStandardInput(name: string, request: CheckRequest): Promise<ExitCode> {
  let content = await readStandardInput();
  const input: Input = {
    path: name,
    isGiven: true,
    read: () => content,
    write(fixed) {
      content = fixed;
    },
  };
  if (!request.fix) return checkAndReport([input], request, [], print);
  const code = await checkAndReport([input], request, [], (text) => process.stderr.write(text));
  print(content);
  return code;
}

async function checkAndReport(
  inputs: readonly Input[],
  request: CheckRequest,
  notFound: readonly Problem[],
  printReport: Print,
  scan: Scan = { tools: loadableTools([absolutePath('.')]) },
): Promise<ExitCode> {
  let tools: Promise<Tools> | undefined;
  const watch = scanWatch(inputs.length);
  const say = (line: string): void => {
    watch.clear();
    warn(line);
  };
  // A machine reads the other formats: they are the report and nothing else.
  const printFixed: Print = request.format === 'text' ? printReport : (text) => process.stderr.write(text);
  const context = {
    rules: request.rules,
    toTerminal: printReport === print && process.stdout.isTTY === true,
    fixed: request.fix,
  };
  // Fixed files are told first, and the other formats are one piece.
  const isStreamed = request.format === 'text' && !request.fix;
  const outcome = await checkInputs(inputs, {
    ...request,
    onCrash: crashReporter(say),
    severities: {},
    known: scan.known,
    threads: scan.threads,
    load() {
      tools ??= scan.tools.load();
      return tools;
    },
    sayFixed: (file, codes) => printFixed(`${plain(file)}: fixed ${codeCounts(codes)}\n`),
    sayNote: (note) => say(problemLine(note)),
    next: watch.next,
    sayFound(file) {
      if (!isStreamed) return;
      watch.clear();
      printReport(findingsAsText(file, context));
    },
  }).finally(watch.end);
  const problems = [...notFound, ...outcome.problems];
  for (const problem of problems) warn(problemLine(problem));
  const isWhole = outcome.stoppedAt === undefined;
  // Half a report that a machine reads would pass for a whole one.
  if (isStreamed) printReport(summaryAsText(outcome, context));
  else if (isWhole || request.format === 'text')
    printReport(reportAs(request.format, outcome, { ...context, problems }));
  if (!isWhole) {
    warn(
      `stopped: ${outcome.files} of ${counted(inputs.length, 'file')} checked, not those from ${plain(outcome.stoppedAt)} on`,
    );
    return interruptedExitCode;
  }
  if (problems.length > 0) return 2;
  return findingCount(outcome) > 0 ? 1 : 0;
}

/** `AC101 (2), AC102`. */
function codeCounts(codes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => (count === 1 ? code : `${code} (${count})`))
    .join(', ');
}
