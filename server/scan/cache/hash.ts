import { createHash } from 'node:crypto';

/** Tells contents apart. */
export const hashOf = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('base64');
