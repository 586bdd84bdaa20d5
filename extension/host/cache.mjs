import os from 'node:os';
import path from 'node:path';

/** Where downloads live that outlast one clone: VS Code itself, never anything of the user's. */
export const cacheFolder = () =>
  process.env.CHECKPOINT_LENS_CACHE
    ? path.resolve(process.env.CHECKPOINT_LENS_CACHE)
    : path.join(os.homedir(), '.cache', 'checkpoint-lens');
