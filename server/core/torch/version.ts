/** A library version as far as rules compare it: major and minor. */
export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** Libraries whose version changes what a rule says. */
export type Library = 'torch' | 'transformers' | 'peft' | 'trl' | 'accelerate' | 'deepspeed' | 'lightning';

export type Versions = Readonly<Partial<Record<Library, Version>>>;

/** Reads `2.13`, `2.13.0`, `2.13.0+cpu`, `v2.4.1rc1`; undefined for anything that does not begin like a version. */
export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d{1,4})(?:\.(\d{1,4}))?(?![\d])/.exec(text.trim());
  if (match === null) return undefined;
  return { major: Number(match[1]), minor: Number(match[2] ?? 0) };
}

/** Unknown versions count as current: most people run one, and the finding says from when it holds. */
export function isBefore(version: Version | undefined, major: number, minor: number): boolean {
  if (version === undefined) return false;
  return version.major < major || (version.major === major && version.minor < minor);
}
