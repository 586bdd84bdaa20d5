import type { TextDocument } from 'vscode-languageserver-textdocument';
import { detectRun } from '../core/facts/detectRun.ts';
import type { RunFacts } from '../core/facts/facts.ts';
import { type LintOptions, lint } from '../core/lint/engine.ts';
import { relevanceOfVersions } from '../core/lint/relevant.ts';
import type { Diagnostic, Rule } from '../core/lint/rule.ts';
import { once } from '../core/once.ts';
import type { Module } from '../core/python/ast.ts';
import { callIndex } from '../core/python/calls.ts';
import type { Names } from '../core/python/names.ts';
import { allRules } from '../core/rules/generated/registry.ts';
import type { Settings } from '../core/settings.ts';
import { type CheckpointSite, checkpointSites } from '../core/sites/checkpointSite.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import type { SourceFile } from '../core/workspace/workspace.ts';
import type { Surroundings } from '../disk/surroundings.ts';
import type { ParsePython } from '../parse/parser.ts';
import type { TrackedParse } from '../parse/trackedParse.ts';
import { pathOf, uriOf } from './convert.ts';
import { SlowRules } from './slowRules.ts';

/** Beyond this a file is data, not code a person edits; nothing is said about it. In UTF-16 units. */
export const largestDocument = 4_000_000;

/** What is known about one version of one document. Each part is computed when it is first asked for. */
export interface Analysis {
  readonly version: number;
  module(): Module;
  names(): Names;
  /** While somebody types, those of rules that take long are what was found a moment ago. */
  diagnostics(settings: Settings): readonly Diagnostic[];
  /** Makes up for that when no key has come for a while. Gives false where nothing was put off. */
  catchUp(): boolean;
  sites(): readonly CheckpointSite[];
  facts(): RunFacts | undefined;
}

export interface Analyses {
  /** `parsed` where the document's text has been parsed already; nothing is put off then. */
  of(document: TextDocument, parsed?: Module): Analysis;
  /** Something around the document is different now: the same text may mean something else. */
  outdate(uri: string): void;
  forget(uri: string): void;
}

/**
 * Of the documents whose trees are kept, together; one that is larger is kept alone. A tree takes some fifty times as much, and
 * somebody who has twenty large files open works in a few. In UTF-16 units.
 */
const mostText = 600_000;

/**
 * Keeps the analysis of the newest version of the open documents that were asked about last, so that hover and fixes cost
 * nothing extra. What was let go is made again when somebody asks.
 */
export function analysesWith(
  track: () => TrackedParse,
  surroundings: () => Surroundings | undefined,
  onCrash: (rule: Rule, error: unknown) => void,
  now?: () => number,
): Analyses {
  const newest = new Map<string, Analysis>();
  const followed = new Map<string, Followed>();
  /** Of the documents that are kept, in the order in which they were asked about. */
  const lengths = new Map<string, number>();
  const follow = (uri: string): Followed => {
    const known = followed.get(uri) ?? { parse: track(), isRelevant: relevanceOfVersions(), slow: new SlowRules(now) };
    followed.set(uri, known);
    return known;
  };
  const release = (uri: string): void => {
    newest.delete(uri);
    followed.get(uri)?.parse.dispose();
    followed.delete(uri);
    lengths.delete(uri);
  };
  return {
    of(document, parsed) {
      noteUse(document);
      const known = newest.get(document.uri);
      if (known?.version === document.version) return known;
      const { parse, isRelevant, slow } = follow(document.uri);
      const analysis = analyse(
        document,
        { parse: (text) => parsed ?? parse.update(text), isRelevant, slow: parsed === undefined ? slow : undefined },
        surroundings(),
        onCrash,
      );
      newest.set(document.uri, analysis);
      return analysis;
    },
    outdate(uri) {
      newest.delete(uri);
      followed.get(uri)?.slow.catchUp();
    },
    forget: release,
  };

  function noteUse(document: TextDocument): void {
    lengths.delete(document.uri);
    lengths.set(document.uri, document.getText().length);
    let held = [...lengths.values()].reduce((sum, length) => sum + length, 0);
    for (const [uri, length] of lengths) {
      if (held <= mostText || uri === document.uri) return;
      held -= length;
      release(uri);
    }
  }
}

/** What is kept from one version of a document to the next. */
interface Followed {
  readonly parse: TrackedParse;
  readonly isRelevant: (text: string) => boolean;
  readonly slow: SlowRules;
}

function analyse(
  document: TextDocument,
  {
    parse,
    isRelevant,
    slow,
  }: {
    readonly parse: ParsePython;
    readonly isRelevant: Followed['isRelevant'];
    readonly slow: SlowRules | undefined;
  },
  around: Surroundings | undefined,
  onCrash: (rule: Rule, error: unknown) => void,
): Analysis {
  const text = document.getText();
  const tooLarge = text.length > largestDocument;
  const module = once((): Module => (tooLarge ? { text: '', body: [], comments: [], unreliable: [] } : parse(text)));
  const path = pathOf(document.uri);
  const workspace = around?.workspaceOf(path);
  const file = once((): SourceFile => sourceFile(path, module(), workspace));
  const sites = once(() => checkpointSites(file(), callIndex(module(), file().names)));
  const aroundFacts = workspace && {
    workspace,
    file: path,
    placeName: (other: string) => (other === path ? document.uri : uriOf(other)),
    versions: around?.versionsFor(path),
  };
  const facts = once(() => detectRun(module(), file().names, document.uri, aroundFacts));
  const diagnostics = new Map<Settings, readonly Diagnostic[]>();
  return {
    version: document.version,
    module,
    names: () => file().names,
    sites,
    facts,
    diagnostics(settings) {
      const known = diagnostics.get(settings);
      if (known !== undefined) return known;
      const relevant = settings.lintEnabled && isRelevant(text);
      const { severities, torch } = settings;
      const versions = { ...around?.versionsFor(path), ...(torch === undefined ? {} : { torch }) };
      const options: LintOptions = {
        rules: allRules,
        versions,
        workspace,
        severities,
        ...(slow && { slow: (rule, check) => slow.findings(rule, text, check) }),
        onCrash,
      };
      const found = relevant ? lint(file(), options) : [];
      diagnostics.set(settings, found);
      return found;
    },
    catchUp() {
      if (slow?.isBehind !== true) return false;
      slow.catchUp();
      diagnostics.clear();
      return true;
    },
  };
}
