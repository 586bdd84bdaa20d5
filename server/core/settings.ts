import type { Severity } from './lint/rule.ts';
import { parseVersion, type Version } from './torch/version.ts';

/** One table for all settings: the type, the defaults, the manifest and the README's table follow from it. */
export interface Settings {
  /** Report findings while one types. */
  readonly lintEnabled: boolean;
  /** By rule code. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  readonly torch: Version | undefined;
  /** Say above a model and a checkpointed loop what they take. */
  readonly codeLensEnabled: boolean;
  /** Show the variant torch takes where a call does not say. */
  readonly inlayHintsEnabled: boolean;
}

interface Setting {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly scope: 'resource' | 'window';
}

export const settingsSection = 'checkpointLens';

export const settingsTable: Readonly<Record<string, Setting>> = {
  'lint.enabled': {
    description: 'Report findings while you type.',
    schema: { type: 'boolean', default: true },
    scope: 'resource',
  },
  rules: {
    description: 'Severity of single rules by code, for example `{"AC101": "off"}`.',
    schema: {
      type: 'object',
      default: {},
      additionalProperties: { enum: ['error', 'warning', 'information', 'hint', 'off'] },
    },
    scope: 'resource',
  },
  torchVersion: {
    description:
      'The torch version your code runs on, for example `2.13`. Empty: take every rule as for a current torch.',
    schema: { type: 'string', default: '', pattern: '^(\\d+(\\.\\d+)*.*)?$' },
    scope: 'resource',
  },
  'codeLens.enabled': {
    description: 'Say above a model, and above what switches checkpointing on, what a training step takes.',
    schema: { type: 'boolean', default: true },
    scope: 'resource',
  },
  'inlayHints.enabled': {
    description:
      'Show what a checkpoint call takes where it does not say: the variant, and whether random state is kept; and the variant behind a library’s switch.',
    schema: { type: 'boolean', default: false },
    scope: 'resource',
  },
};

export const defaultSettings: Settings = {
  lintEnabled: true,
  severities: {},
  torch: undefined,
  codeLensEnabled: true,
  inlayHintsEnabled: false,
};

/** Reads what an editor sends for the section. Anything that is not as the table says keeps its default. */
export function parseSettings(section: unknown): Settings {
  const given = isRecord(section) ? section : {};
  const enabled = (section: string, standard: boolean): boolean => {
    const part = given[section];
    return isRecord(part) && typeof part.enabled === 'boolean' ? part.enabled : standard;
  };
  const rules = isRecord(given.rules) ? given.rules : {};
  return {
    lintEnabled: enabled('lint', defaultSettings.lintEnabled),
    codeLensEnabled: enabled('codeLens', defaultSettings.codeLensEnabled),
    inlayHintsEnabled: enabled('inlayHints', defaultSettings.inlayHintsEnabled),
    severities: Object.fromEntries(
      Object.entries(rules).flatMap(([code, severity]) =>
        isSeverity(severity) ? [[code.toUpperCase(), severity]] : [],
      ),
    ),
    torch: typeof given.torchVersion === 'string' ? parseVersion(given.torchVersion) : undefined,
  };
}

const severities: readonly unknown[] = ['error', 'warning', 'information', 'hint', 'off'];
const isSeverity = (value: unknown): value is Severity | 'off' => severities.includes(value);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `contributes.configuration` of the manifest. */
export function manifestConfiguration(table: typeof settingsTable): unknown {
  const properties = Object.entries(table).map(([key, { schema, scope }]) => [
    `${settingsSection}.${key}`,
    { ...schema, scope, markdownDescription: `%setting.${key}%` },
  ]);
  return { title: 'Checkpoint Lens', properties: Object.fromEntries(properties) };
}

/** The manifest's English texts of the settings, by the keys that stand for them there. */
export const manifestTexts = (table: typeof settingsTable): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(table).map(([key, { description }]) => [`setting.${key}`, description]));

/** The README's table. */
export function readmeSettings(table: typeof settingsTable): string {
  const rows = Object.entries(table).map(
    ([key, { description, schema }]) =>
      `| \`${settingsSection}.${key}\` | \`${JSON.stringify(schema.default)}\` | ${description} |`,
  );
  return ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n');
}
