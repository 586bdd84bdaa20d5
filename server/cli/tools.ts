import { diskSurroundings } from '../disk/diskSurroundings.ts';
import type { Surroundings } from '../disk/surroundings.ts';
import { parserBeside } from '../parse/fromDisk.ts';
import type { ParsePython } from '../parse/parser.ts';
import { absolutePath } from './absolutePath.ts';
import { bundleFolder } from './installation.ts';

/** What looking into a file takes; loaded when the first file needs it. */
export interface Tools {
  readonly parse: ParsePython;
  readonly surroundings: Surroundings;
}

/** Imports are looked up from the folder the command was started in; nothing changes while it runs. */
export async function loadTools(): Promise<Tools> {
  const { parse } = await parserBeside(bundleFolder);
  const folders = [absolutePath('.')];
  return {
    parse,
    surroundings: diskSurroundings({ parse, folders, rememberedMilliseconds: Number.POSITIVE_INFINITY }),
  };
}
