import type { Module } from '../../core/python/ast.ts';
import { Dependencies } from '../../disk/dependencies.ts';
import { surroundingsIn } from '../../disk/surroundings.ts';
import type { ParsePython, PythonParser } from '../../parse/parser.ts';
import type { Host } from '../server.ts';
import { asFileSystem } from './asFileSystem.ts';
import { clientFiles, type ReadClientFiles } from './clientFiles.ts';

/**
 * What a language server in a browser works with. Only the client can read files there, and only by and by; what looks around
 * a file wants its answer at once. So what is not known yet counts as not there, is asked for, and once it has come
 * everything is looked at again.
 */
export function browserHost({ parse, track }: PythonParser, read: ReadClientFiles): Host {
  return {
    parse,
    track,
    surroundings(folders, openText, learned) {
      const files = clientFiles(folders, read, () => {
        around = look();
        learned();
      });
      const fileSystem = asFileSystem(files);
      // Nothing on this disk changes unless we are told.
      const rememberedMilliseconds = Number.POSITIVE_INFINITY;
      const options = { folders, parse: remembering(parse), openText, rememberedMilliseconds };
      const look = () => surroundingsIn(fileSystem, { ...options, dependencies: new Dependencies() });
      let around = look();
      return {
        workspaceOf: (file) => around.workspaceOf(file),
        versionsFor: (file) => around.versionsFor(file),
        changed(paths, where) {
          if (where === 'editor') return around.changed(paths, where);
          // What is known stays true until the client has told what is there now.
          files.refresh(paths);
          return () => false;
        },
      };
    },
  };
}

/** Modules kept at most; the one that was parsed first goes first. */
const mostModules = 300;

/** Looking around anew must not parse anew. */
function remembering(parse: ParsePython): ParsePython {
  const modules = new Map<string, Module>();
  return (text, section) => {
    if (section !== undefined) return parse(text, section);
    const known = modules.get(text);
    if (known !== undefined) return known;
    const module = parse(text);
    modules.set(text, module);
    if (modules.size > mostModules) modules.delete(modules.keys().next().value ?? text);
    return module;
  };
}
