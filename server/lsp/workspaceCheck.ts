import type { CancellationToken, Connection, WorkDoneProgressReporter } from 'vscode-languageserver';
import { isRecord, type Settings } from '../core/settings.ts';
import {
  type CheckFoldersProgress,
  type CheckFoldersResult,
  type CheckProgressMessage,
  checkFoldersCommand,
  checkProgressMethod,
} from '../protocol.ts';
import type { FromScan, ScannedFolder } from '../scan/threads/messages.ts';
import { ClosedFiles, type StartScan } from './closedFiles.ts';
import { pathOf } from './convert.ts';
import type { RuleLinks } from './ruleLinks.ts';

export interface WorkspaceCheckTools {
  /** Absent where there is no disk to go through. */
  readonly scan: StartScan | undefined;
  /** URIs of the workspace's folders that are on disk. */
  folders(): readonly string[];
  open(): Iterable<string>;
  settingsOf(uri: string): Promise<Settings>;
  pullsSettings(): boolean;
  links(): RuleLinks;
}

/** Runs checks of the whole workspace when somebody asks; what an open file says is not touched by them. */
export function serveWorkspaceCheck(connection: Connection, tools: WorkspaceCheckTools): ClosedFiles | undefined {
  const { scan } = tools;
  if (scan === undefined) return undefined;
  const foldersToScan = (): Promise<readonly ScannedFolder[]> => foldersWithSettings(connection, tools);
  const closed = new ClosedFiles({ connection, scan, links: tools.links, open: tools.open, foldersToScan });
  /** Tells checks apart, of which the newest counts. */
  let newest = 0;
  let replace = (): void => undefined;

  connection.onExecuteCommand(async ({ command, arguments: [argument] = [] }, cancel) => {
    if (command !== checkFoldersCommand) return null;
    newest++;
    replace();
    const id = isRecord(argument) ? argument.id : undefined;
    if (typeof id === 'number') {
      return check(cancel, (state) => {
        const message: CheckProgressMessage = { id, ...state };
        void connection.sendNotification(checkProgressMethod, message);
      });
    }
    const shown = await connection.window.createWorkDoneProgress();
    shown.begin('Checking the workspace', 0, undefined, true);
    try {
      return await check(anyOf(cancel, shown.token), (state) => report(shown, state));
    } finally {
      shown.done();
    }
  });
  return closed;

  async function check(
    cancel: Pick<CancellationToken, 'isCancellationRequested' | 'onCancellationRequested'>,
    tell: (state: CheckFoldersProgress) => void,
  ): Promise<CheckFoldersResult> {
    const mine = newest;
    const folders = await foldersToScan();
    let state: CheckFoldersProgress = { checked: 0, files: 0, findings: 0 };
    let filesWithFindings = 0;
    if (mine !== newest) return { ...state, filesWithFindings, ended: 'replaced' };
    return new Promise((resolve) => {
      const ended = (how: CheckFoldersResult['ended'], reason?: string): void => {
        running?.end();
        replace = () => undefined;
        resolve({ ...state, filesWithFindings, ended: how, ...(reason !== undefined && { reason }) });
      };
      const running = scan?.({ folders }, (message: FromScan) => {
        switch (message.kind) {
          case 'files':
            closed.startAnew(message.paths);
            state = { ...state, files: message.paths.length };
            break;
          case 'state':
            state = { ...state, checked: message.checked };
            tell(state);
            break;
          case 'found':
            filesWithFindings++;
            state = { ...state, findings: state.findings + message.findings.length };
            closed.found(message.path, message.findings);
            break;
          case 'note':
            connection.console.info(message.text);
            break;
          case 'end':
            // Files that may be settings and are not do not count.
            state = { ...state, checked: message.files, files: message.files };
            ended('done');
            break;
          case 'failed':
            connection.console.error(`the check of the workspace failed: ${message.reason}`);
            ended('failed', message.reason);
        }
      });
      replace = () => ended('replaced');
      if (cancel.isCancellationRequested) ended('stopped');
      else cancel.onCancellationRequested(() => ended('stopped'));
    });
  }
}

function report(shown: WorkDoneProgressReporter, { checked, files, findings }: CheckFoldersProgress): void {
  shown.report((100 * checked) / Math.max(files, 1), `${checked} of ${files} files, findings: ${findings}`);
}

type Cancel = Pick<CancellationToken, 'isCancellationRequested' | 'onCancellationRequested'>;

const anyOf = (one: CancellationToken, other: CancellationToken): Cancel => ({
  isCancellationRequested: one.isCancellationRequested || other.isCancellationRequested,
  onCancellationRequested(listener) {
    const listening = [one, other].map((each) => each.onCancellationRequested(listener));
    return {
      dispose() {
        for (const each of listening) each.dispose();
      },
    };
  },
});

/** Each folder with its own settings, less those in which nothing is to be reported. */
async function foldersWithSettings(
  connection: Connection,
  { folders, settingsOf, pullsSettings }: WorkspaceCheckTools,
): Promise<readonly ScannedFolder[]> {
  const all = await Promise.all(
    folders().map(async (uri): Promise<ScannedFolder | undefined> => {
      const { lintEnabled, severities, torch } = await settingsOf(uri);
      if (!lintEnabled) return undefined;
      const excluded = pullsSettings() ? await editorExcludes(connection, uri) : [];
      return { path: pathOf(uri), severities, versions: torch === undefined ? {} : { torch }, excluded };
    }),
  );
  return all.filter((folder) => folder !== undefined);
}

/** What the editor shows in no list of files and no search. */
async function editorExcludes(connection: Connection, scopeUri: string): Promise<readonly string[]> {
  const sections = ['files.exclude', 'search.exclude'];
  const asked = connection.workspace.getConfiguration(sections.map((section) => ({ scopeUri, section })));
  const given: readonly unknown[] = await asked.catch(() => []);
  return given.flatMap((one) => (isRecord(one) ? Object.keys(one).filter((glob) => one[glob] === true) : []));
}
