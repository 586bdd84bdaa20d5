import type { ClassDefinition } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import { memberFlag } from './checkpointingFlags.ts';
import { type CheckpointingReading, underGuard } from './checkpointingReading.ts';
import { checkpointingByCalls } from './checkpointingSites.ts';
import { checkpointingByApply } from './checkpointingWrappers.ts';
import { lastName, type Source } from './source.ts';
import { conditionsAround, guard } from './trainingGuard.ts';

/** What the file of a model's class does, where the class is imported from the workspace. */
export function checkpointingOfClasses(source: Source, layers: number | undefined): CheckpointingReading | undefined {
  const seen = new Set<Source>();
  for (const { call, definition } of source.calls) {
    // Only a class can be a module, and classes are written in capitals.
    const mayBeClass = definition === undefined && /^_*[A-Z]/.test(lastName(call.callee));
    const outside = mayBeClass ? source.outside(call.callee) : undefined;
    if (outside === undefined || !('definition' in outside) || outside.definition.kind !== 'class') continue;
    if (seen.has(outside.source) || !isModule(outside.definition)) continue;
    seen.add(outside.source);
    const read = checkpointingByApply(outside.source, layers) ?? checkpointingByCalls(outside.source, layers);
    if (read !== undefined) return namingFile(read, outside.source, outside.definition);
  }
  return undefined;
}

/** Lines of another file than the one that is shown are told with its name. */
function namingFile(read: CheckpointingReading, there: Source, definition: Span): CheckpointingReading {
  const { path } = there.placeOf(definition);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const named = (words: string): string => words.replace(/\bon line \d+\b(?! of )/g, (line) => `${line} of ${name}`);
  const { fact, notes } = read;
  const { origin } = fact;
  const from = origin.kind === 'derived' ? { ...origin, from: named(origin.from) } : origin;
  return { ...read, fact: { ...fact, origin: from }, notes: notes.map(named) };
}

const isModule = ({ body }: ClassDefinition): boolean =>
  body.some((statement) => statement.kind === 'function' && statement.name.name === 'forward');

/** What a function of the workspace does that is called to switch it on: `apply_fsdp_checkpointing(model)`. */
export function checkpointingOfFunctions(source: Source, layers: number | undefined): CheckpointingReading | undefined {
  for (const { call, definition, around } of source.calls) {
    const name = lastName(call.callee);
    if (definition !== undefined || !switching.test(name) || ofFiles.test(name)) continue;
    const outside = source.outside(call.callee);
    if (outside === undefined || !('definition' in outside) || outside.definition.kind !== 'function') continue;
    const { source: there, definition: called } = outside;
    if (!/apply_activation_checkpointing\(/.test(there.module.text.slice(called.start, called.end))) continue;
    const found = checkpointingByApply(there, layers);
    if (found === undefined) continue;
    const read = namingFile(found, there, called);
    const guarded = guard(source, conditionsAround(source, around), memberFlag(source));
    return underGuard(source, read, guarded, { what: `${name}()`, at: call });
  }
  return undefined;
}

const switching = /checkpoint|activation|(^|_)ac(_|$)/i;
/** Most names with that word are about files. */
const ofFiles = /save|load|resume|restore|write|latest|find/i;
