import type { Diagnostic, Fix, Rule, Severity } from '../lint/rule.ts';
import { LineIndex } from '../text/lineIndex.ts';
import type { Span } from '../text/span.ts';
import { type CheckedFile, type CheckReport, regionOf } from './checkedFile.ts';
import { plainMarkdown } from './plainMarkdown.ts';

export interface SarifOptions {
  readonly toolVersion: string;
  /** Rules that were run, with or without findings. */
  readonly rules: readonly Rule[];
  readonly pages: ReadonlyMap<string, string>;
  /** URI of the folder that relative paths are relative to; ends in `/`. */
  readonly rootUri: string;
  /** Sentences about input that could not be read; empty where the run was complete. */
  readonly problems: readonly string[];
}

/** `check --format sarif`: SARIF 2.1.0 (OASIS), for code-scanning services and the SARIF viewers of editors. */
export function sarifReport({ withFindings }: CheckReport, options: SarifOptions): string {
  const ruleIndex = new Map(options.rules.map(({ code }, index) => [code, index]));
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Checkpoint Lens',
            semanticVersion: options.toolVersion,
            rules: options.rules.map((rule) => descriptor(rule, options.pages.get(rule.name) ?? '')),
          },
        },
        invocations: [
          {
            executionSuccessful: options.problems.length === 0,
            toolExecutionNotifications: options.problems.map((text) => ({ level: 'error', message: { text } })),
          },
        ],
        originalUriBaseIds: { [root]: { uri: options.rootUri } },
        columnKind: 'utf16CodeUnits',
        results: withFindings.flatMap((file) => resultsOf(file, ruleIndex)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** The folder the command was started in; the name is the one that code-scanning services look for. */
const root = '%SRCROOT%';

const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

const descriptor = ({ code, name, severity, summary }: Rule, page: string) => ({
  id: code,
  name,
  shortDescription: { text: plainMarkdown(summary) },
  help: { text: plainMarkdown(page), markdown: page },
  defaultConfiguration: { level: levels[severity] },
});

function resultsOf({ path, text, diagnostics }: CheckedFile, ruleIndex: ReadonlyMap<string, number>) {
  const lines = new LineIndex(text);
  const artifactLocation = locationOf(path);
  return diagnostics.map(({ code, severity, message, at, fixes }: Diagnostic) => ({
    ruleId: code,
    ruleIndex: ruleIndex.get(code) ?? -1,
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, region: regionOf(lines, at) } }],
    ...(fixes.length > 0 && { fixes: fixes.map((fix) => fixOf(fix, lines, artifactLocation)) }),
  }));
}

const fixOf = ({ title, edits }: Fix, lines: LineIndex, artifactLocation: ReturnType<typeof locationOf>) => ({
  description: { text: title },
  artifactChanges: [
    {
      artifactLocation,
      replacements: edits.map(({ span, text }: { span: Span; text: string }) => ({
        deletedRegion: regionOf(lines, span),
        insertedContent: { text },
      })),
    },
  ],
});

/** `path` is relative to the root with `/` between its parts, or a whole `file:` URI where it lies outside. */
const locationOf = (path: string) =>
  path.startsWith('file:')
    ? { uri: path }
    : { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: root };
