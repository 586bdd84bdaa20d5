import type { Severity } from '../lint/rule.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { type CheckReport, regionOf } from './checkedFile.ts';

/**
 * `check --format github`: workflow commands, which GitHub shows as annotations on the lines of a pull request. The message
 * repeats the place because the log of the job shows nothing else of a command.
 */
export function githubReport({ withFindings }: CheckReport): string {
  return withFindings
    .flatMap(({ path, text, diagnostics }) => {
      const lines = new LineIndex(text);
      return diagnostics.map(({ at, severity, code, name, message }) => {
        const { startLine, startColumn, endLine, endColumn } = regionOf(lines, at);
        const properties = Object.entries({
          file: path,
          line: startLine,
          endLine,
          col: startColumn,
          endColumn,
          title: `${code} ${name}`,
        }).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
        const said = `${path}:${startLine}:${startColumn}: ${code} ${message}`;
        return `::${commands[severity]} ${properties.join(',')}::${escapeData(said)}\n`;
      });
    })
    .join('');
}

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/** GitHub's runner decodes exactly these in the message. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** And these two more in the values before it. */
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
