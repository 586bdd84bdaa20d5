import type { Connection } from 'vscode-languageserver';
import { defaultSettings, isRecord, parseSettings, type Settings, settingsSection } from '../core/settings.ts';
import type { ClientAbilities } from './clientAbilities.ts';

/** The person's settings, which may differ between folders. */
export interface ClientSettings {
  of(uri: string): Promise<Settings>;
  /** The client sent settings of its own accord: all of them, the section within them, or nothing but that they changed. */
  pushed(settings: unknown): void;
  forget(uri: string): void;
}

/** Asks the client for settings once per document; a client that cannot be asked may push them. */
export function clientSettings(connection: Connection, client: () => ClientAbilities): ClientSettings {
  const known = new Map<string, Promise<Settings>>();
  let pushed = defaultSettings;
  return {
    of(uri) {
      if (!client().pullsSettings) return Promise.resolve(pushed);
      const asked =
        known.get(uri) ??
        connection.workspace
          .getConfiguration({ scopeUri: uri, section: settingsSection })
          .then(parseSettings, () => pushed);
      known.set(uri, asked);
      return asked;
    },
    pushed(settings) {
      known.clear();
      const section: unknown = isRecord(settings) ? settings[settingsSection] : undefined;
      if (section !== undefined) pushed = parseSettings(section);
    },
    forget: (uri) => known.delete(uri),
  };
}
