import type { TextDocument } from 'vscode-languageserver-textdocument';
import { configFormatOf } from '../core/config/configFile.ts';
import { runsAbout } from '../core/facts/configFiles/besideScript.ts';
import type { ParsedSettings, RunsAround } from '../core/facts/configFiles/nearbyFiles.ts';
import { type FoundRun, runsOfText } from '../core/facts/configFiles/runs.ts';
import type { SourceFile } from '../core/workspace/workspace.ts';
import type { Surroundings } from '../disk/surroundings.ts';
import type { Analysis } from './analysis.ts';
import { pathOf, uriOf } from './convert.ts';

/** The runs that an open Python document is about. */
export function runsOfDocument(
  document: TextDocument,
  analysis: Analysis,
  around: Surroundings | undefined,
  parsed: Map<string, ParsedSettings>,
): readonly FoundRun[] {
  const module = analysis.module();
  const file: SourceFile = { path: pathOf(document.uri), text: module.text, module, names: analysis.names() };
  return runsAbout(file, { ...runsAround(document.uri, around), parsed }, analysis.facts());
}

/** The runs that an open settings file or shell script describes. Many editors know no TOML; the name's ending says it. */
export function runsOfSettings(document: TextDocument, around: Surroundings | undefined): readonly FoundRun[] {
  const path = pathOf(document.uri);
  return configFormatOf(path) === undefined
    ? []
    : runsOfText(path, document.getText(), runsAround(document.uri, around));
}

function runsAround(uri: string, around: Surroundings | undefined): RunsAround {
  const path = pathOf(uri);
  return {
    workspace: around?.workspaceOf(path),
    placeName: (other) => (other === path ? uri : uriOf(other)),
    versions: around?.versionsFor(path),
    known: new Map(),
  };
}
