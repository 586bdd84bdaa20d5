import { keywordNamed } from '../python/arguments.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import { dropUnused } from './dropUnused.ts';
import { importsAt } from './imports.ts';
import type { LayerLoop } from './layerLoop.ts';
import { type ApplyContext, type ApplyPlace, type Change, cannot, change } from './place.ts';
import { replacement, standsAlone, writtenIn } from './sourceLayout.ts';

const sequentialFunction = 'torch.utils.checkpoint.checkpoint_sequential';

/** A loop that only hands `x` from layer to layer becomes one call of `checkpoint_sequential`. */
export function asSequential(
  context: ApplyContext,
  { loop, layers, call, statement, site }: LayerLoop,
  length: number,
): Change {
  const { module, lineOf } = context;
  if (site !== undefined) return cannot(`line ${lineOf(call)} checkpoints each layer by itself; take that out first`);
  const [first, ...others] = call.arguments;
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
  return change(replacement(loop, written), ...imports.edits());
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
