import type { Tools } from '../../server/scan/tools.ts';
import { parsePython } from './python.ts';

/** A parser without any disk around it. */
export const tools: Tools = {
  parse: parsePython,
  surroundings: { workspaceOf: () => ({ roots: [], file: () => undefined }), versionsFor: () => ({}) },
};
