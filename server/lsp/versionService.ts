import type { Connection } from 'vscode-languageserver';
import type { Surroundings } from '../disk/surroundings.ts';
import { type VersionsAnswer, type VersionsParams, versionsMethod } from '../protocol.ts';
import { pathOf } from './convert.ts';

/** Tells which library versions a document's code runs on. */
export function serveVersions(connection: Connection, surroundings: () => Surroundings | undefined): void {
  connection.onRequest(versionsMethod, ({ uri }: VersionsParams): VersionsAnswer => {
    const versions = Object.entries(surroundings()?.versionsFor(pathOf(uri)) ?? {});
    return Object.fromEntries(versions.map(([library, { major, minor }]) => [library, `${major}.${minor}`]));
  });
}
