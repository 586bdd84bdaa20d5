import { keywordNamed } from '../python/arguments.ts';
import type { Argument, Call, Module } from '../python/ast.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import type { TextEdit } from '../text/edit.ts';
import { checkpointKeywords } from '../torch/checkpointApi.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import { dropUnused } from './dropUnused.ts';
import { importsAt } from './imports.ts';
import type { LayerLoop } from './layerLoop.ts';
import { type ApplyContext, type ApplyPlace, type Change, cannot, change } from './place.ts';
import { handOverCall } from './regionEdits.ts';
import { replacement, standsAlone, writtenIn } from './sourceLayout.ts';

const sequentialFunction = 'torch.utils.checkpoint.checkpoint_sequential';

/**
 * A loop that only hands `x` from layer to layer becomes one call of `checkpoint_sequential`, which takes over what checkpointed
 * each layer by itself.
 */
export function asSequential(
  context: ApplyContext,
  { loop, layers, call, statement, site }: LayerLoop,
  length: number,
): Change {
  const { module, lineOf } = context;
  const taken = site === undefined ? change() : handOverCall(context, site);
  if ('why' in taken) return taken;
  const [first, ...others] = site === undefined ? call.arguments : handedOn(call);
  const target = statement.kind === 'assign' && statement.targets.length === 1 ? statement.targets[0] : undefined;
  const isPlain =
    loop.body.length === 1 &&
    loop.body[0] === statement &&
    statement.kind === 'assign' &&
    statement.value === call &&
    loop.orElse.length === 0 &&
    loop.target.kind === 'name' &&
    layers.kind !== 'subscript' &&
    target?.kind === 'name' &&
    first?.kind === 'positional' &&
    first.value.kind === 'name' &&
    first.value.name === target.name &&
    others.length === 0;
  if (!isPlain)
    return cannot(
      `checkpoint_sequential hands one tensor from layer to layer, and the loop on line ${lineOf(loop)} does more`,
    );
  if (context.layers === undefined)
    return cannot('the number of layers is not known, which a number of segments needs');
  if (module.comments.some(({ start }) => loop.start < start && start < loop.end))
    return cannot(`a comment in the loop on line ${lineOf(loop)} would be lost`);
  const segments = Math.ceil(context.layers / length);
  const imports = importsAt(context, loop);
  const name = imports.nameOf(sequentialFunction);
  if (name === undefined || !standsAlone(module, loop))
    return cannot(`the loop on line ${lineOf(loop)} shares its lines with other code`);
  const written = `${target.name} = ${name}(${writtenIn(module, layers)}, ${segments}, ${target.name}, use_reentrant=False)`;
  // The module that the new name is read from is in use as before.
  const stays = site === undefined || rootOf(writtenIn(module, call.callee)) === rootOf(name);
  const unused = site === undefined ? [] : dropUnused(module, [...(stays ? [] : [call.callee]), ...optionsOf(call)]);
  return change(replacement(loop, written), ...inOneImport(module, unused, imports.edits()));
}

const isOption = (argument: Argument): boolean =>
  argument.kind === 'keyword' && checkpointKeywords.has(argument.name.name);

const optionsOf = (call: Call): readonly Argument[] => call.arguments.filter(isOption);

/** What `checkpoint(layer, x, use_reentrant=False)` hands to the layer. */
const handedOn = ({ arguments: [, ...others] }: Call): readonly Argument[] =>
  others.filter((argument) => !isOption(argument));

const rootOf = (name: string): string | undefined => name.split('.')[0];

/** A statement that loses one name and gets another has both in one edit. */
function inOneImport(module: Module, dropped: readonly TextEdit[], added: readonly TextEdit[]): readonly TextEdit[] {
  const pairs = added.map((insertion) => {
    const at = insertion.span.start;
    return { insertion, same: dropped.find(({ span }) => span.start <= at && at <= span.end) };
  });
  return [
    ...dropped.filter((edit) => !pairs.some(({ same }) => same === edit)),
    ...pairs.map(({ insertion, same }) => (same === undefined ? insertion : joined(module, same, insertion))),
  ];
}

function joined(module: Module, dropped: TextEdit, { span, text }: TextEdit): TextEdit {
  if (dropped.text !== '') return { ...dropped, text: `${dropped.text}${text}` };
  const statement = module.body.find((one) => one.start <= span.start && span.start <= one.end);
  const start = statement?.kind === 'importFrom' ? statement.names[0]?.start : undefined;
  return replacement({ start: start ?? span.start, end: span.start }, text.replace(/^, /, ''));
}

/** Calls of `checkpoint_sequential`: their number of segments. */
export const sequentialPlaces = (context: ApplyContext): ApplyPlace[] =>
  context.sites
    .filter((site) => site.function === 'checkpoint_sequential' && !site.configuresOnly)
    .map((site) => ({
      form: 'call',
      what: 'checkpoint_sequential()',
      at: site.call,
      isOn: true,
      put: (chosen) => put(context, site, chosen),
    }));

function put(context: ApplyContext, site: CheckpointSite, chosen: ChosenStrategy): Change {
  const { module, names, lineOf } = context;
  const functions = keywordNamed(site.given, 'functions') ?? site.given.positional[0];
  const segments = keywordNamed(site.given, 'segments') ?? site.given.positional[1];
  const input = keywordNamed(site.given, 'input') ?? site.given.positional[2];
  if (functions?.preset !== false || segments?.preset !== false || input?.preset !== false)
    return cannot(`checkpoint_sequential() on line ${lineOf(site.call)} gets its arguments elsewhere`);
  if (chosen.name === 'sequential') {
    if (context.layers === undefined)
      return cannot('the number of layers is not known, which a number of segments needs');
    const wanted = String(Math.ceil(context.layers / chosen.segment));
    return writtenIn(module, segments.value) === wanted ? change() : change(replacement(segments.value, wanted));
  }
  if (chosen.name !== 'none')
    return cannot(
      `${chosenText(chosen)} is more than checkpoint_sequential() can do; line ${lineOf(site.call)} would have to become a loop`,
    );
  const owner = functions.value.kind === 'attribute' ? names.classOfSelf(functions.value.object) : undefined;
  const made =
    owner === undefined || functions.value.kind !== 'attribute'
      ? []
      : names.memberValues(owner, functions.value.attribute.name);
  const isSequential =
    made.length > 0 &&
    made.every((one) => one.kind === 'call' && names.qualifiedName(one.callee) === 'torch.nn.Sequential');
  if (!isSequential)
    return cannot(`what line ${lineOf(site.call)} runs is not for certain an nn.Sequential that can be called itself`);
  const { callee } = site.call;
  const written = `${writtenIn(module, functions.value)}(${writtenIn(module, input.value)})`;
  return change(replacement(site.call, written), ...dropUnused(module, [callee]));
}
