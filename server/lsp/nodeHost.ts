import { Dependencies } from '../disk/dependencies.ts';
import { diskSurroundings } from '../disk/diskSurroundings.ts';
import { parserBeside } from '../parse/fromDisk.ts';
import { keepHeapsSmall } from '../scan/threads/smallHeaps.ts';
import { startScan } from '../scan/threads/startScan.ts';
import { collectionWhenIdle } from './idleCollection.ts';
import type { Host } from './server.ts';

/** While one types, what was on disk a moment ago is good enough. */
const rememberedMilliseconds = 2_000;

/** What a language server on this machine works with: the parser beside its bundle, and the disk. */
export async function nodeHost(folder: string): Promise<Host> {
  // It lives for days.
  keepHeapsSmall();
  const { parse, track } = await parserBeside(folder);
  const rest = collectionWhenIdle();
  return {
    ...(rest && { rest }),
    parse,
    track,
    scan: startScan,
    surroundings: (folders, openText) =>
      diskSurroundings({ folders, parse, openText, rememberedMilliseconds, dependencies: new Dependencies() }),
  };
}
