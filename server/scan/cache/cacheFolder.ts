import { homedir } from 'node:os';
import path from 'node:path';

/** Where the system wants programs to keep what they can make again. */
export function cacheFolder(): string {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: local } = process.env;
  // A relative path there is to be ignored, says the specification.
  if (given !== undefined && path.isAbsolute(given)) return path.join(given, 'checkpoint-lens');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches', 'checkpoint-lens');
  if (process.platform === 'win32' && local !== undefined) return path.join(local, 'checkpoint-lens', 'Cache');
  return path.join(homedir(), '.cache', 'checkpoint-lens');
}
