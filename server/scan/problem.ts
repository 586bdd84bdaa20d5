import { plain } from '../core/report/plain.ts';

/** Input that could not be read or written. The rest goes on; the exit code is 2 in the end. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export const problemLine = ({ path, message }: Problem): string => `${plain(path)}: ${plain(message)}`;

/** Runs what touches the file system; a failure becomes a problem in plain words. */
export function attempt<T>(path: string, problems: Problem[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    problems.push({ path, message: reason(error) });
    return undefined;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ELOOP: 'symbolic links in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space left',
  EISDIR: 'is a folder',
};

export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? error.message;
}
