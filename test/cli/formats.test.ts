import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CheckReport } from '../../server/core/report/checkedFile.ts';
import { githubReport } from '../../server/core/report/github.ts';
import { textReport } from '../../server/core/report/text.ts';
import { lintText } from '../support/lint.ts';
import { folderWith, implicit } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

const files = { 'a.py': implicit, 'pkg/b.py': `"é😀"; ${implicit.replace('\n', '; ')}`, 'pkg/clean.py': 'x = 1\n' };

test('text: one line for each finding, paths as given, and a summary', (context) => {
  const { path: cwd } = folderWith(context, files);
  const { code, stdout, stderr } = runCli(['check'], { cwd });
  assert.deepEqual(stdout.split('\n'), [
    'a.py:2:5: warning AC101 use_reentrant is not given: torch warns and takes the reentrant variant [implicit-use-reentrant]',
    'pkg/b.py:1:59: warning AC101 use_reentrant is not given: torch warns and takes the reentrant variant [implicit-use-reentrant]',
    '2 findings in 2 of 3 files; --fix can fix 2',
    '',
  ]);
  assert.equal(stderr, '');
  assert.equal(code, 1);
});

test('text: nothing found', (context) => {
  const { path: cwd } = folderWith(context, { 'a.py': 'x = 1\n' });
  assert.deepEqual(runCli(['check', '.'], { cwd }), { code: 0, stdout: 'No findings in 1 file\n', stderr: '' });
});

test('json has the documented shape, with UTF-16 columns', (context) => {
  const { path: cwd } = folderWith(context, files);
  const { code, stdout } = runCli(['check', '--format', 'json', 'pkg'], { cwd });
  const at = { line: 1, column: 78 };
  assert.deepEqual(JSON.parse(stdout), {
    version: 1,
    files: 2,
    findings: [
      {
        path: 'pkg/b.py',
        line: 1,
        column: 59,
        endLine: 1,
        endColumn: 69,
        code: 'AC101',
        name: 'implicit-use-reentrant',
        severity: 'warning',
        message: 'use_reentrant is not given: torch warns and takes the reentrant variant',
        fixes: [
          {
            title: 'Add use_reentrant=False',
            preferred: true,
            edits: [{ start: at, end: at, text: ', use_reentrant=False' }],
          },
          {
            title: "Add use_reentrant=True (keeps today's behaviour)",
            preferred: false,
            edits: [{ start: at, end: at, text: ', use_reentrant=True' }],
          },
        ],
      },
    ],
  });
  assert.equal(code, 1);
});

test('json without findings is a whole report', (context) => {
  const { path: cwd } = folderWith(context, { 'a.py': '' });
  const { code, stdout } = runCli(['check', '--format=json'], { cwd });
  assert.deepEqual(JSON.parse(stdout), { version: 1, files: 1, findings: [] });
  assert.equal(code, 0);
});

test('sarif has rules with help, regions, fixes and relative addresses', (context) => {
  const { path: cwd } = folderWith(context, { 'a dir/ä#.py': implicit });
  const log = JSON.parse(runCli(['check', '--format', 'sarif'], { cwd }).stdout);
  assert.equal(log.version, '2.1.0');
  const [run] = log.runs;
  assert.equal(run.columnKind, 'utf16CodeUnits');
  assert.equal(run.originalUriBaseIds['%SRCROOT%'].uri, pathToFileURL(`${cwd}${path.sep}`).href);
  assert.deepEqual(run.invocations, [{ executionSuccessful: true, toolExecutionNotifications: [] }]);
  const { rules, name } = run.tool.driver;
  assert.equal(name, 'Checkpoint Lens');
  for (const rule of rules) {
    assert.match(rule.id, /^AC\d{3}$/);
    assert.ok(!rule.shortDescription.text.includes('`'), 'the short text is plain');
    assert.match(rule.help.markdown, /^# /);
    assert.ok(!/^#|```/m.test(rule.help.text.replaceAll(/^ {4}.*$/gm, '')), 'the long text is plain');
  }
  const [result] = run.results;
  const artifactLocation = { uri: 'a%20dir/%C3%A4%23.py', uriBaseId: '%SRCROOT%' };
  assert.equal(rules[result.ruleIndex].id, result.ruleId);
  assert.equal(result.level, 'warning');
  assert.deepEqual(result.locations, [
    { physicalLocation: { artifactLocation, region: { startLine: 2, startColumn: 5, endLine: 2, endColumn: 15 } } },
  ]);
  assert.deepEqual(result.fixes[0], {
    description: { text: 'Add use_reentrant=False' },
    artifactChanges: [
      {
        artifactLocation,
        replacements: [
          {
            deletedRegion: { startLine: 2, startColumn: 24, endLine: 2, endColumn: 24 },
            insertedContent: { text: ', use_reentrant=False' },
          },
        ],
      },
    ],
  });
});

test('sarif tells of input that could not be read, and names files outside by a whole address', (context) => {
  const outside = folderWith(context, { 'a.py': implicit });
  const { path: cwd } = folderWith(context, {});
  const { code, stdout } = runCli(['check', '--format', 'sarif', outside.at('a.py'), 'none.py'], { cwd });
  const [run] = JSON.parse(stdout).runs;
  assert.equal(run.invocations[0].executionSuccessful, false);
  assert.match(run.invocations[0].toolExecutionNotifications[0].message.text, /^none\.py: /);
  const { uri } = run.results[0].locations[0].physicalLocation.artifactLocation;
  assert.equal(uri, pathToFileURL(outside.at('a.py')).href);
  assert.equal(code, 2);
});

test('github writes workflow commands with paths from the current folder', (context) => {
  const folder = folderWith(context, files);
  const { code, stdout } = runCli(['check', '--format', 'github', folder.at('a.py')], { cwd: folder.path });
  assert.equal(
    stdout,
    '::warning file=a.py,line=2,endLine=2,col=5,endColumn=15,title=AC101 implicit-use-reentrant::' +
      'a.py:2:5: AC101 use_reentrant is not given: torch warns and takes the reentrant variant\n',
  );
  assert.equal(code, 1);
});

const reportOf = (name: string, message: string): CheckReport => ({
  files: 1,
  withFindings: [
    {
      path: name,
      text: implicit,
      diagnostics: lintText(implicit).map((each) => ({ ...each, message, severity: 'hint' as const })),
    },
  ],
});

test('github escapes what would end a property or a command', () => {
  assert.equal(
    githubReport(reportOf('a,b:c%.py', 'one\r\ntwo %')),
    '::notice file=a%2Cb%3Ac%25.py,line=2,endLine=2,col=5,endColumn=15,title=AC101 implicit-use-reentrant::' +
      'a,b:c%25.py:2:5: AC101 one%0D%0Atwo %25\n',
  );
});

test('text shows control characters instead of sending them to the terminal', () => {
  const report = reportOf('a\u001b[2J\n.py', 'says \u0007');
  const text = textReport(report, { frames: true, offersFix: true });
  assert.match(text, /^a\\x1b\[2J\\x0a\.py:2:5: hint AC101 says \\x07 \[/);
  assert.ok(text.includes('    2 | y = checkpoint(block, x)\n      |     ^^^^^^^^^^\n'));
});

test('a long line is framed around the finding', () => {
  const text = `from torch.utils.checkpoint import checkpoint\nx = "${'é'.repeat(500)}"; y = checkpoint(block, x); z = "${'z'.repeat(500)}"\n`;
  const report = { files: 1, withFindings: [{ path: 'a.py', text, diagnostics: lintText(text) }] };
  const [, code = '', underline = ''] = textReport(report, { frames: true, offersFix: true }).split('\n');
  assert.ok(code.length < 200 && code.includes('…'));
  assert.equal(code.slice(underline.indexOf('^'), underline.lastIndexOf('^') + 1), 'checkpoint');
});
