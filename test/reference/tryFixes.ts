import { readdirSync, readFileSync } from 'node:fs';
import { lint } from '../../server/core/lint/engine.ts';
import { fixAll } from '../../server/core/lint/fixAll.ts';
import { isRelevant } from '../../server/core/lint/relevant.ts';
import type { Diagnostic, Fix } from '../../server/core/lint/rule.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { applyEdits } from '../../server/core/text/edit.ts';
import { sourceFile } from '../../server/core/workspace/sourceFile.ts';
import { diskSurroundings } from '../../server/disk/diskSurroundings.ts';
import { parsePython } from '../support/python.ts';

export interface TriedFixes {
  /** Findings by rule. */
  readonly byCode: ReadonlyMap<string, number>;
  readonly fixes: number;
  /** One line for each fix that is wrong. */
  readonly wrong: readonly string[];
}

/**
 * Tries every fix of every finding under a folder of checkouts, one at a time: the fixed file must parse, the finding must be
 * gone and only that, and comments must be kept. Fixing all of a file must leave nothing to fix. Nothing on disk is written.
 */
export function tryFixes(checkouts: string): TriedFixes {
  const byCode = new Map<string, number>();
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
      const fixedOnce = fixAll(text, check).text;
      if (fixAll(fixedOnce, check).text !== fixedOnce) wrong.push(`${path}: fixing all again changes it again`);
      for (const diagnostic of found) {
        byCode.set(diagnostic.code, (byCode.get(diagnostic.code) ?? 0) + 1);
        for (const fix of diagnostic.fixes) {
          fixes++;
          const fault = faultOf(text, diagnostic, fix, found, check);
          if (fault !== undefined) wrong.push(`${path}: ${diagnostic.code} "${fix.title}": ${fault}`);
        }
      }
    }
  }
  return { byCode, fixes, wrong };
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
