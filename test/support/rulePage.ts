import type { ConfigFormat } from '../../server/core/config/configFile.ts';

/** One block of a rule's page: Python code, a configuration file or a shell script. */
export interface PageCase {
  /** Line of the page the block begins on, for messages. */
  readonly line: number;
  readonly heading: string;
  readonly language: PageLanguage;
  /** Library versions that the block's first line names: ```` ```py transformers=4.57 ````. */
  readonly versions: Readonly<Record<string, string>>;
  readonly source: string;
  readonly expected: readonly ExpectedFinding[];
  /** The block right behind it marked `fixed`. */
  readonly fixed: string | undefined;
}

export interface ExpectedFinding {
  /** `line:column+length code`, line and column one-based. */
  readonly where: string;
  readonly message: string;
}

export type PageLanguage = 'python' | ConfigFormat;

/** By the word behind the three backticks. */
const languages: Readonly<Record<string, PageLanguage>> = {
  py: 'python',
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  toml: 'toml',
  sh: 'shell',
};

const marker = /^(?:#|\/\/)\s*(\^+)\s+(AC\d{3})\s*(.*)$/;

/** Reads the blocks of a page. Lines that point at code with `^` are taken out, so they never shift any line. */
export function readPage(page: string): PageCase[] {
  const lines = page.split('\n');
  const cases: PageCase[] = [];
  let heading = '';
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.startsWith('## ')) heading = line.slice(3);
    const language = languages[/^```(\w+)/.exec(line)?.[1] ?? ''];
    if (language === undefined) continue;
    const end = lines.indexOf('```', index);
    const block = lines.slice(index + 1, end);
    if (line.includes('fixed')) {
      const last = cases.pop();
      if (last === undefined) throw new Error(`line ${index + 1}: a fixed block without a flagged one`);
      cases.push({ ...last, fixed: `${block.join('\n')}\n` });
    } else {
      const versions = versionsIn(line);
      cases.push({ line: index + 1, heading, language, versions, ...split(block, language), fixed: undefined });
    }
    index = end;
  }
  return cases;
}

const versionsIn = (fence: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(fence.matchAll(/(\w+)=([\d.]+)/g), ([, library = '', version = '']) => [library, version]),
  );

function split(block: readonly string[], language: PageLanguage): { source: string; expected: ExpectedFinding[] } {
  const code: string[] = [];
  const expected: ExpectedFinding[] = [];
  for (const line of block) {
    const match = marker.exec(line);
    if (match === null) {
      code.push(line);
      continue;
    }
    const [, carets = '', rule = '', message = ''] = match;
    // Keys of a configuration begin in column one, where `#` stands: right before the carets it counts as one of them.
    const extra = language !== 'python' && line.startsWith('#^') ? 1 : 0;
    expected.push({
      where: `${code.length}:${line.indexOf('^') + 1 - extra}+${carets.length + extra} ${rule}`,
      message: message.trim(),
    });
  }
  return { source: `${code.join('\n')}\n`, expected };
}
