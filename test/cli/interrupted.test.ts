import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { progressLine, progressText } from '../../server/cli/progressLine.ts';
import { counted } from '../../server/core/report/checkedFile.ts';
import { largestSourceBytes } from '../../server/scan/pythonSource.ts';
import { folderWith, implicit } from './support/folder.ts';
import { cli } from './support/runCli.ts';

const files = 3_000;

/** A scan with a finding in every file, which takes longer than it takes to stop it. */
function longScan(context: TestContext, ...flags: string[]): { readonly child: ChildProcess; kept(): string[] } {
  const name = (index: number): string => `file${String(index).padStart(4, '0')}.py`;
  const folder = folderWith(context, {
    // Of a file that is no code a person hears at once.
    'data.py': `# checkpoint\n#${'x'.repeat(largestSourceBytes)}\n`,
    ...Object.fromEntries(Array.from({ length: files - 1 }, (_, index) => [name(index), `${implicit}# ${index}\n`])),
  });
  const { path: cache } = folderWith(context, {});
  const child = spawn(process.execPath, [cli, 'check', '.', ...flags], {
    cwd: folder.path,
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  return { child, kept: () => readdirSync(cache) };
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', (code) => resolve(code)));

test('Ctrl+C ends a scan with what it has found, says from where on nothing was checked, and keeps nothing', async (context) => {
  const { child, kept } = longScan(context);
  const errors = text(child.stderr as NonNullable<typeof child.stderr>);
  let report = '';
  child.stdout?.on('data', (some: Buffer) => {
    // The first finding is printed while the rest is still being looked for.
    if (report === '') child.kill('SIGINT');
    report += some.toString();
  });
  assert.equal(await ended(child), 130);
  const stopped = /stopped: (\d+) of 3000 files checked, not those from file(\d+)\.py on\n$/.exec(await errors);
  assert.ok(stopped !== null, await errors);
  const checked = Number(stopped[1]);
  assert.equal(checked, Number(stopped[2]) + 1, 'the files before the first one that was not checked');
  assert.ok(checked > 0 && checked < files, `${checked}`);
  const found = checked - 1;
  const summary = `${counted(found, 'finding')} in ${found} of ${counted(checked, 'file')}`;
  assert.ok(report.endsWith(`\n${summary}; --fix can fix ${found}\n`), report.slice(-200));
  assert.deepEqual(kept(), []);
});

test('a machine gets no half of a report, and no progress', async (context) => {
  const { child } = longScan(context, '--format', 'json');
  const report = text(child.stdout as NonNullable<typeof child.stdout>);
  let errors = '';
  child.stderr?.on('data', (some: Buffer) => {
    if (errors === '') child.kill('SIGINT');
    errors += some.toString();
  });
  assert.equal(await ended(child), 130);
  assert.equal(await report, '');
  assert.match(errors, /^checkpoint-lens: data\.py: [^\n]*\ncheckpoint-lens: stopped: [^\n]*\n$/);
});

test('progress is one line that is gone in the end, on a terminal alone', (context) => {
  const now = context.mock.method(performance, 'now', () => 0);
  const shown = (isTTY: boolean, environment: NodeJS.ProcessEnv): string => {
    let written = '';
    now.mock.mockImplementation(() => 0);
    const write = (some: string | Uint8Array): boolean => {
      written += String(some);
      return true;
    };
    const line = progressLine(2286, { isTTY, columns: 30, write }, environment);
    for (const milliseconds of [100, 600, 610, 800]) {
      now.mock.mockImplementation(() => milliseconds);
      line.show({ checked: milliseconds, findings: 1 });
    }
    line.clear();
    line.clear();
    return written;
  };
  assert.equal(shown(true, {}), '\r600 of 2,286 files, 1 finding\x1b[K\r800 of 2,286 files, 1 finding\x1b[K\r\x1b[K');
  for (const none of [shown(false, {}), shown(true, { CI: '1' }), shown(true, { TERM: 'dumb' })])
    assert.equal(none, '');
  assert.equal(progressText(2286, { checked: 1204, findings: 3 }), '1,204 of 2,286 files, 3 findings');
});
