import type { OpenFile } from '../support/lspClient.ts';

/** What is typed into a line of its own: for most keystrokes the code is half written. */
const typed = 'width = self.norm(width, "left").view(2)';

/** Nobody types faster than this. */
const keyMilliseconds = 60;
/** A person types for a while before the times count. */
const warmUp = 40;

/**
 * Types a line into several places of a file, one key after the other, and takes it out again. Gives the milliseconds from
 * each key to the findings of that version.
 */
export async function typeLines(file: OpenFile, keys: number, pause = keyMilliseconds): Promise<number[]> {
  const times: number[] = [];
  const key = async (start: number, end: number, text: string): Promise<void> => {
    const started = performance.now();
    await file.edit(start, end, text);
    await file.diagnostics();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, pause));
  };
  for (let round = 0; times.length < keys + warmUp; round++) {
    const start = endOfStatement(file.text(), [0.1, 0.5, 0.85][round % 3] ?? 0);
    const indent = /\n([ \t]*)[^\n]*$/.exec(file.text().slice(0, start))?.[1] ?? '';
    await key(start, start, `\n${indent}`);
    let end = start + 1 + indent.length;
    for (const character of typed) {
      await key(end, end, character);
      end++;
    }
    await key(start, end, '');
  }
  return times.slice(warmUp, warmUp + keys);
}

/** The end of the first plain assignment inside a function behind a part of the file. */
function endOfStatement(text: string, share: number): number {
  const from = Math.floor(text.length * share);
  const statement = /^ {4,}\w[\w.]* = [^\n]*[\w)\]]$/m.exec(text.slice(from));
  return statement === null ? text.length : from + statement.index + statement[0].length;
}
