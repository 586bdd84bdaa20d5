import * as disk from 'node:fs';
import type { Dependencies } from '../disk/dependencies.ts';
import type { FileSystem } from '../disk/fileSystem.ts';
import { type Surroundings, surroundingsIn } from '../disk/surroundings.ts';
import { parserBeside } from '../parse/fromDisk.ts';
import type { ParsePython } from '../parse/parser.ts';
import { absolutePath } from './absolutePath.ts';
import { bundleFolder } from './installation.ts';

/** What looking into a file takes; loaded when the first file needs it. */
export interface Tools {
  readonly parse: ParsePython;
  readonly surroundings: Surroundings;
}

/** What lies around files is known without the parser, until a file there has to be parsed. */
export interface LoadableTools {
  readonly surroundings: Surroundings;
  load(): Promise<Tools>;
}

/** For a command, which looks imports up from the folder it was started in. */
export const loadTools = (): Promise<Tools> => loadableTools([absolutePath('.')]).load();

/** Imports are looked up from these folders; nothing changes while this is in use. */
export function loadableTools(
  folders: readonly string[],
  fileSystem: FileSystem = disk,
  dependencies?: Dependencies,
): LoadableTools {
  let parser: ParsePython | undefined;
  const parse: ParsePython = (text, section) => {
    if (parser === undefined) throw new Error('the parser was not loaded');
    return parser(text, section);
  };
  const surroundings = surroundingsIn(fileSystem, {
    parse,
    folders,
    rememberedMilliseconds: Number.POSITIVE_INFINITY,
    ...(dependencies !== undefined && { dependencies }),
  });
  return {
    surroundings,
    async load() {
      parser ??= (await parserBeside(bundleFolder)).parse;
      return { parse, surroundings };
    },
  };
}
