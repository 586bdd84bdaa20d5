import { setFlagsFromString } from 'node:v8';
import { Dependencies } from '../disk/dependencies.ts';
import { diskSurroundings } from '../disk/diskSurroundings.ts';
import { parserBeside } from '../parse/fromDisk.ts';
import { startScan } from '../scan/threads/startScan.ts';
import type { Host } from './server.ts';

/** While one types, what was on disk a moment ago is good enough. */
const rememberedMilliseconds = 2_000;

/**
 * By how much the heap may grow until what is no longer used is given back. Left to itself it grows to twice what is used
 * and more, and stays there, in a process that lives for days. A check of a folder then takes a tenth more time, a keystroke none that
 * can be measured.
 */
const heapGrowingPercent = 30;

/** What a language server on this machine works with: the parser beside its bundle, and the disk. */
export async function nodeHost(folder: string): Promise<Host> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const { parse, track } = await parserBeside(folder);
  return {
    parse,
    track,
    scan: startScan,
    surroundings: (folders, openText) =>
      diskSurroundings({ folders, parse, openText, rememberedMilliseconds, dependencies: new Dependencies() }),
  };
}
