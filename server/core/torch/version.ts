/** A library version as far as rules compare it. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  /** Left out where only the release line is known: `2.4`, `~=2.4.0`, `==2.4.*`. */
  readonly patch?: number;
}

/** Libraries whose version changes what a rule says. */
export type Library =
  | 'torch'
  | 'transformers'
  | 'peft'
  | 'trl'
  | 'accelerate'
  | 'deepspeed'
  | 'diffusers'
  | 'lightning';

export type Versions = Readonly<Partial<Record<Library, Version>>>;

/** Reads `2.13`, `2.13.0`, `2.13.0+cpu`, `v2.4.1rc1`; undefined for anything that does not begin like a version. */
export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d{1,4})(?:\.(\d{1,4})(?:\.(\d{1,4}))?)?(?![\d])/.exec(text.trim());
  if (match === null) return undefined;
  const [, major, minor = 0, patch] = match;
  return { major: Number(major), minor: Number(minor), ...(patch !== undefined && { patch: Number(patch) }) };
}

/** As people say it: `2.13`, or `0.19.2` where the last number is known. */
export const versionText = ({ major, minor, patch }: Version): string =>
  patch === undefined ? `${major}.${minor}` : `${major}.${minor}.${patch}`;

/**
 * Whether a version certainly comes before another. Unknown versions count as current, and so does an unknown patch: most
 * people run the newest one, and the finding says from when it holds.
 */
export function isBefore(version: Version | undefined, major: number, minor: number, patch = 0): boolean {
  if (version === undefined) return false;
  if (version.major !== major) return version.major < major;
  if (version.minor !== minor) return version.minor < minor;
  return version.patch !== undefined && version.patch < patch;
}

/** Whether a version is certainly this one or a later one; what nobody said is not. */
export const isAtLeast = (version: Version | undefined, major: number, minor: number, patch = 0): boolean =>
  version !== undefined && !isBefore({ ...version, patch: version.patch ?? 0 }, major, minor, patch);
