import * as disk from 'node:fs';
import { type ChangingSurroundings, type SurroundingsOptions, surroundingsIn } from './surroundings.ts';

/** What lies around files on this machine's disk. */
export const diskSurroundings = (options: SurroundingsOptions): ChangingSurroundings => surroundingsIn(disk, options);
