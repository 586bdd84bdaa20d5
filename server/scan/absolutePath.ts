import path from 'node:path';

/** With `/` between folders on every system, as the core names files. */
export const absolutePath = (given: string): string => path.resolve(given).replaceAll(path.sep, '/');
