import { readdirSync, readFileSync } from 'node:fs';
import { lint } from '../../server/core/lint/engine.ts';
import { isRelevant } from '../../server/core/lint/relevant.ts';
import type { Diagnostic, Fix } from '../../server/core/lint/rule.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { applyEdits } from '../../server/core/text/edit.ts';
import { sourceFile } from '../../server/core/workspace/sourceFile.ts';
import { diskSurroundings } from '../../server/disk/surroundings.ts';
import { parsePython } from '../support/python.ts';

/** Prints what goes wrong and a summary; gives the number of fixes that did. */
export function tryFixes(checkouts: string): number {
  let findings = 0;
  let fixes = 0;
  const wrong: string[] = [];
  for (const repository of readdirSync(checkouts)) {
    const folder = `${checkouts}/${repository}`;
    const surroundings = diskSurroundings({
      folders: [folder],
      parse: parsePython,
      rememberedMilliseconds: Number.POSITIVE_INFINITY,
    });
    for (const name of pythonFiles(folder)) {
      const path = `${folder}/${name}`;
      const text = readFileSync(path, 'utf8');
      if (!isRelevant(text)) continue;
      const workspace = surroundings.workspaceOf(path);
      const versions = surroundings.versionsFor(path);
      const check = (changed: string): Diagnostic[] =>
        lint(sourceFile(path, parsePython(changed), workspace), {
          rules: allRules,
          versions,
          workspace,
          severities: {},
          onCrash(rule, error) {
            wrong.push(`${rule.code} threw on ${path}: ${error}`);
          },
        });
      const found = check(text);
      findings += found.length;
      for (const diagnostic of found) {
        for (const fix of diagnostic.fixes) {
          fixes++;
          const fault = faultOf(text, diagnostic, fix, found, check);
          if (fault !== undefined) wrong.push(`${path}: ${diagnostic.code} "${fix.title}": ${fault}`);
        }
      }
    }
  }
  for (const line of wrong) console.log(line);
  console.log(`${findings} findings, ${fixes} fixes tried, ${wrong.length} wrong`);
  return wrong.length;
}

function faultOf(
  text: string,
  { code }: Diagnostic,
  fix: Fix,
  before: readonly Diagnostic[],
  check: (text: string) => Diagnostic[],
): string | undefined {
  const fixed = applyEdits(text, fix.edits);
  const module = parsePython(fixed);
  if (module.unreliable.length > parsePython(text).unreliable.length) return 'does not parse';
  const comments = (one: string): string =>
    parsePython(one)
      .comments.map((comment) => comment.text)
      .join('\n');
  if (comments(fixed) !== comments(text)) return 'changes comments';
  const count = (all: readonly Diagnostic[]): number => all.filter((one) => one.code === code).length;
  if (count(check(fixed)) !== count(before) - 1) return 'does not take its own finding away, and only that';
  return undefined;
}

function pythonFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: false });
  return names.filter((name) => name.endsWith('.py'));
}
