import type { CodeAction, Connection } from 'vscode-languageserver';
import { CodeActionKind, type Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Application, applied, applyPlaces, applyStrategy } from '../core/apply/applyStrategy.ts';
import { checkedApplication, type Reading } from '../core/apply/checkedApplication.ts';
import { type ChosenStrategy, chosenTitle } from '../core/apply/chosen.ts';
import type { ApplyPlace } from '../core/apply/place.ts';
import { settingsPlaces } from '../core/apply/settingsPlaces.ts';
import { configFile, configFormatOf } from '../core/config/configFile.ts';
import { runsOfText } from '../core/facts/configFiles/runs.ts';
import { detectRun } from '../core/facts/detectRun.ts';
import { lint, lintConfig } from '../core/lint/engine.ts';
import { isRelevant } from '../core/lint/relevant.ts';
import { allRules } from '../core/rules/generated/registry.ts';
import { overlaps } from '../core/text/span.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import type { Surroundings } from '../disk/surroundings.ts';
import type { ParsePython } from '../parse/parser.ts';
import { type ApplyStrategyAnswer, type ApplyStrategyParams, applyStrategyMethod } from '../protocol.ts';
import type { Analyses } from './analysis.ts';
import { pathOf, toRange, toSpan, uriOf } from './convert.ts';

/** What putting strategies into documents needs of the server. */
export interface ApplyHost {
  readonly analyses: Analyses;
  readonly parse: ParsePython;
  document(uri: string): TextDocument | undefined;
  isPython(document: TextDocument): boolean;
  surroundings(): Surroundings | undefined;
  guarded<P, R>(feature: string, handle: (params: P) => R | Promise<R>): (params: P) => Promise<R | null>;
}

export interface ApplyService {
  /** Rewrites of what a range touches: a loop, arguments, a setting. */
  actions(document: TextDocument, range: Range, only: readonly string[] | undefined): CodeAction[];
}

/** The kind of these code actions, for clients that list kinds. */
export const applyKind = `${CodeActionKind.RefactorRewrite}.checkpointLens`;

export function serveApply(connection: Connection, host: ApplyHost): ApplyService {
  connection.onRequest(
    applyStrategyMethod,
    host.guarded('apply strategy', ({ uri, strategy, layers }: ApplyStrategyParams): ApplyStrategyAnswer => {
      const document = host.document(uri);
      if (document === undefined) return { kind: 'cannot', why: 'notebooks and closed files are not changed' };
      const subject = subjectOf(document, host, layers);
      const application = applyStrategy(subject.places, strategy);
      return answerOf(document, checkedApplication(subject.text, application, strategy, subject.read), strategy);
    }),
  );
  return {
    actions(document, range, only) {
      const isWanted = only === undefined || only.some((one) => applyKind === one || applyKind.startsWith(`${one}.`));
      return isWanted ? actionsAt(document, range, subjectOf(document, host, undefined)) : [];
    },
  };
}

/** A document as the core sees it: its places, and how a changed version of it is read. */
interface Subject {
  readonly text: string;
  readonly places: readonly ApplyPlace[];
  readonly read: (text: string) => Reading;
}

function subjectOf(document: TextDocument, host: ApplyHost, layers: number | undefined): Subject {
  return host.isPython(document) ? pythonSubject(document, host, layers) : settingsSubject(document, host);
}

function pythonSubject(document: TextDocument, host: ApplyHost, layers: number | undefined): Subject {
  const path = pathOf(document.uri);
  const around = host.surroundings();
  const [workspace, versions] = [around?.workspaceOf(path), around?.versionsFor(path) ?? {}];
  const analysis = host.analyses.of(document);
  const file = sourceFile(path, analysis.module(), workspace);
  const known = layers ?? analysis.facts()?.model?.layers.value;
  const placeName = (other: string): string => (other === path ? document.uri : uriOf(other));
  return {
    text: document.getText(),
    places: applyPlaces(file, { workspace, versions, layers: known }),
    read(text) {
      const module = host.parse(text);
      const version = sourceFile(path, module, workspace);
      const options = { rules: allRules, versions, workspace, severities: {}, onCrash: () => undefined };
      const facts = workspace && { workspace, file: path, placeName, versions };
      return {
        isBroken: module.unreliable.length > 0,
        findings: isRelevant(text) ? lint(version, options) : [],
        checkpointing: detectRun(module, version.names, document.uri, facts)?.run.checkpointing.value,
      };
    },
  };
}

function settingsSubject(document: TextDocument, host: ApplyHost): Subject {
  const path = pathOf(document.uri);
  const format = configFormatOf(path);
  const around = host.surroundings();
  const [workspace, versions] = [around?.workspaceOf(path), around?.versionsFor(path) ?? {}];
  return {
    text: document.getText(),
    places: format === undefined ? [] : settingsPlaces(document.getText(), format),
    read(text) {
      const file = format === undefined ? undefined : configFile(path, text, format);
      const options = { rules: allRules, versions, workspace, severities: {}, onCrash: () => undefined };
      const [run] = runsOfText(path, text, { workspace, placeName: uriOf, versions });
      return {
        isBroken: (file?.unreliable.length ?? 0) > 0,
        findings: file === undefined ? [] : lintConfig(file, options),
        // A script may start several runs, of which these flags are one's.
        checkpointing: format === 'shell' ? undefined : run?.facts.run.checkpointing.value,
      };
    },
  };
}

function answerOf(document: TextDocument, application: Application, strategy: ChosenStrategy): ApplyStrategyAnswer {
  if (application.kind !== 'edits') return application;
  return {
    kind: 'edits',
    version: document.version,
    edits: application.edits.map(({ span, text }) => ({ range: toRange(document, span), newText: text })),
    label: chosenTitle(strategy),
    description: application.what,
  };
}

/** What an editor offers where the cursor stands; a strategy with a number of its own is the panel's to offer. */
const offered: readonly ChosenStrategy[] = [
  { name: 'full', segment: 1 },
  { name: 'full', segment: 2 },
  { name: 'policy', segment: 1 },
  { name: 'selective', segment: 1 },
  { name: 'none', segment: 1 },
];

function actionsAt(document: TextDocument, range: Range, { text, places, read }: Subject): CodeAction[] {
  const touched = toSpan(document, range);
  const reach = { start: touched.start, end: Math.max(touched.end, touched.start + 1) };
  const here = places.filter(({ at }) => overlaps(at, reach));
  const innermost = here.toSorted((a, b) => a.at.end - a.at.start - (b.at.end - b.at.start))[0];
  // Another place that is on would make this one a second.
  if (innermost === undefined || places.some((place) => place.isOn && place !== innermost)) return [];
  return offered.flatMap((chosen) => {
    if (chosen.name === 'none' && !innermost.isOn) return [];
    const application = checkedApplication(text, applied(innermost, chosen), chosen, read);
    return application.kind === 'edits' ? [actionOf(document, application, chosen)] : [];
  });
}

function actionOf(
  document: TextDocument,
  { edits }: Application & { readonly kind: 'edits' },
  chosen: ChosenStrategy,
): CodeAction {
  const changed = edits.map(({ span, text }) => ({ range: toRange(document, span), newText: text }));
  return {
    title: chosenTitle(chosen),
    kind: applyKind,
    edit: {
      documentChanges: [{ textDocument: { uri: document.uri, version: document.version }, edits: changed }],
    },
  };
}
