import { keywordNamed } from '../python/arguments.ts';
import { type RegionCall, regionCallAt } from './checkpointingCalls.ts';
import { memberFlag } from './checkpointingFlags.ts';
import { asksForLayer, pickedLayers, withPicked } from './checkpointingLayers.ts';
import { loopNames, namesLayers, stepOf } from './checkpointingLoop.ts';
import { isSelective, selectiveBy } from './checkpointingPolicy.ts';
import {
  type CheckpointingReading,
  checkpointed,
  none,
  reading,
  supposed,
  underGuard,
  writtenAt,
} from './checkpointingReading.ts';
import { builtModule, type Covered, coveredBy } from './checkpointingRegion.ts';
import { isSize } from './modelReading.ts';
import { derivedAt, originOf, type Source, writtenAs } from './source.ts';
import { conditionsAround, type Guard, guard } from './trainingGuard.ts';

/** What calls of torch's functions and their relatives checkpoint. `layers` is how many the model has, where that is known. */
export function checkpointingByCalls(source: Source, layers: number | undefined): CheckpointingReading | undefined {
  const sites = source.calls.flatMap((here) => {
    const call = regionCallAt(source, here);
    return call === undefined || isOfLoss(source, call) ? [] : sitesOf(source, call, 0);
  });
  const judged = sites.map((site) => ({ site, ...judge(source, site, layers) }));
  const live = judged.filter(({ guarded }) => guarded.kind !== 'off').sort((a, b) => order(a.site) - order(b.site));
  const [foremost] = live;
  // Of several places in one class the one that is least in doubt speaks for it.
  const first =
    foremost === undefined
      ? judged[0]
      : live
          .filter(({ site }) => order(site) === order(foremost.site) && classOf(site) === classOf(foremost.site))
          .reduce((best, each) => (doubt(each.guarded) < doubt(best.guarded) ? each : best));
  if (first === undefined) return undefined;
  if (first.site.covered.kind === 'part' && first.guarded.kind !== 'off')
    return ofParts(
      source,
      live.map(({ site }) => site),
    );
  const others = live.filter(
    ({ site, read }) =>
      rank(site.covered) === rank(first.site.covered) && !isSame(read.fact.value, first.read.fact.value),
  );
  const lines = others.map(({ site }) => source.lineOf(site.call.here.call));
  if (lines.length === 0) return first.read;
  const line = source.lineOf(first.site.call.here.call);
  const note = `line ${line} and line ${lines.join(', ')} checkpoint in different ways; line ${line} is counted`;
  return { ...first.read, notes: [...first.read.notes, note] };
}

/** A loss in chunks runs again without a layer of the model. */
const isOfLoss = (source: Source, { run, around }: RegionCall): boolean =>
  lossNames.test(around.function?.name.name ?? '') ||
  lossNames.test(around.class?.name.name ?? '') ||
  (run !== undefined && lossNames.test(writtenAs(source, run)));

const lossNames = /loss|logits?\b|cross_?entropy|lm_?head|log_?(softmax|probs?)|entropy/i;

interface Site {
  readonly call: RegionCall;
  readonly covered: Covered;
}

const classOf = ({ call }: Site) => call.around.class;
const doubt = (guarded: Guard): number => (guarded.kind === 'unknown' ? guarded.words.length : 0);

/** Whole layers say more than their parts, and a loop over layers more than one of them. */
const order = ({ covered, call }: Site): number => 2 * rank(covered) + (call.around.loops.length > 0 ? 0 : 1);

const rank = ({ kind }: Covered): number =>
  (['layer', 'all layers', 'attention core', 'handed on', 'unknown', 'part'] as const).indexOf(kind);

const isSame = (one: CheckpointingReading['fact']['value'], other: CheckpointingReading['fact']['value']): boolean =>
  one.mode === other.mode && one.segment === other.segment && one.every === other.every && one.layers === other.layers;

const inputsOf = ({ given }: RegionCall) => given.positional.slice(1).map(({ value }) => value);

const unknownRun: Covered = { kind: 'unknown', words: '*' };

/** Functions that hand on what they are given to functions that do the same end here. */
const longestChain = 2;

/** The calls that decide what runs: those of the function around, where it hands on what it is given. */
function sitesOf(source: Source, call: RegionCall, depth: number): readonly Site[] {
  const { run, around } = call;
  const covered =
    run === undefined ? unknownRun : (builtModule(source, run) ?? coveredBy(source, run, inputsOf(call), around));
  if (call.kind === 'segments' || call.kind === 'every') return [{ call, covered: { kind: 'layer' } }];
  if (covered.kind !== 'handed on' || depth >= longestChain) return [{ call, covered }];
  const { function: owner, position } = covered;
  const callers = source.calls.filter(({ definition }) => definition === owner);
  const isMethod = owner.parameters[0]?.name === 'self';
  const name = owner.parameters[position]?.name;
  const found = callers.flatMap((here) => {
    const named = here.call.arguments.find((each) => each.kind === 'keyword' && each.name.name === name);
    const positional = here.call.arguments.filter((each) => each.kind === 'positional');
    const given = named ?? positional[position - (isMethod ? 1 : 0)];
    if (given === undefined) return [];
    const outer = { ...here.around, conditions: [...here.around.conditions, ...around.conditions] };
    return sitesOf(source, { ...call, here, around: outer, run: given.value }, depth + 1);
  });
  // A tool that nothing here uses checkpoints nothing here.
  return found;
}

function judge(source: Source, site: Site, layers: number | undefined) {
  const { here, around, mechanism } = site.call;
  const loop = around.loops.at(-1);
  const index = loop && loopNames(loop).index;
  const guarded = guard(source, conditionsAround(source, around), memberFlag(source), asksForLayer(index));
  const whole = ofSite(source, site, layers);
  const picked =
    site.covered.kind === 'layer'
      ? withPicked(source, whole, pickedLayers(source, around.conditions, index), layers)
      : whole;
  return {
    guarded,
    read: underGuard(source, picked, guarded, { what: mechanism, at: here.call }),
  };
}

function ofSite(source: Source, { call, covered }: Site, layers: number | undefined): CheckpointingReading {
  const { here, around, mechanism, variant, offloaded, given } = call;
  const at = here.call;
  const line = source.lineOf(at);
  if (call.kind === 'segments') return sequential(source, call, layers);
  const context = keywordNamed(given, 'context_fn')?.value;
  if (isSelective(source, context)) return selectiveBy(source, context, mechanism);
  const common = { variant, offloaded };
  if (call.kind === 'every')
    return inSegments(source, call, keywordNamed(given, 'every')?.value ?? given.positional[2]?.value);
  switch (covered.kind) {
    case 'attention core':
      return writtenAt(source, at, checkpointed(mechanism, { mode: 'selective', ...common }));
    case 'all layers':
      return reading(
        checkpointed(mechanism, { segment: layers ?? 1, ...common }),
        layers === undefined
          ? { kind: 'assumed', why: `line ${line} checkpoints all layers at once, and how many there are is not known` }
          : derivedAt(source, at, `all ${layers} layers in one region`),
      );
    case 'part':
      return supposed(
        none,
        `line ${line} checkpoints only ${covered.words} of a layer, which has no account; it is counted as none`,
      );
    default: {
      const step = segmentStep(source, call, layers);
      const hasOther = step === undefined && stepOf(source, around.loops.at(-1), around.conditions) !== undefined;
      if (step !== undefined || (covered.kind === 'layer' && !hasOther)) return inSegments(source, call, step);
      const why = `how much of the model ${mechanism} on line ${line} runs is not known; it is counted as every layer by itself`;
      return supposed(checkpointed(mechanism, common), why);
    }
  }
}

/** The step of a loop over layers; that of another loop (over tokens, over images) says nothing about them. */
function segmentStep(source: Source, { around, run }: RegionCall, layers: number | undefined) {
  const loop = around.loops.at(-1);
  const step = stepOf(source, loop, around.conditions);
  if (step === undefined || loop === undefined || (run !== undefined && namesLayers(source, run))) return step;
  const bound = loop.iterable.kind === 'call' ? loop.iterable.arguments[1]?.value : undefined;
  if (bound === undefined) return undefined;
  return namesLayers(source, bound) || (layers !== undefined && source.read(bound)?.value === layers)
    ? step
    : undefined;
}

/** Regions of so many layers; every layer is its own where nothing says so. */
function inSegments(
  source: Source,
  call: RegionCall,
  length: Parameters<Source['read']>[0] | undefined,
): CheckpointingReading {
  const { here, mechanism, variant, offloaded } = call;
  const value = checkpointed(mechanism, { variant, offloaded });
  if (length === undefined) return writtenAt(source, here.call, value);
  const read = source.read(length);
  if (read === undefined || !isSize(read.value))
    return supposed(value, `the segment length on line ${source.lineOf(length)} could not be read`);
  return reading({ ...value, segment: read.value }, originOf(source, read), [], read.options);
}

/** Segments of `layers // segments` layers; the last takes the rest and stays plain. */
function sequential(source: Source, call: RegionCall, layers: number | undefined): CheckpointingReading {
  const { here, mechanism, variant, given } = call;
  const line = source.lineOf(here.call);
  const asked = keywordNamed(given, 'segments')?.value ?? given.positional[1]?.value;
  const read = asked && source.read(asked);
  const value = checkpointed(mechanism, { mode: 'sequential', variant });
  if (read === undefined || !isSize(read.value))
    return supposed(value, `checkpoint_sequential on line ${line}: the number of segments could not be read`);
  const segments = read.value;
  if (layers === undefined)
    return supposed({ ...value, segments }, `checkpoint_sequential on line ${line}: the number of layers is not known`);
  const segment = Math.max(1, Math.floor(layers / segments));
  return reading(
    checkpointed(mechanism, { mode: 'sequential', segment, segments, variant }),
    derivedAt(source, read.at, `${layers} layers in ${segments} segments`),
    [],
    read.options,
  );
}

/** Several parts of each layer are about the whole of it, with more regions; one part is less than that. */
function ofParts(source: Source, sites: readonly Site[]): CheckpointingReading | undefined {
  const [first] = sites;
  if (first === undefined) return undefined;
  const words = new Set(sites.flatMap(({ covered }) => (covered.kind === 'part' ? [covered.words] : [])));
  if (words.size < 2) return judge(source, first, undefined).read;
  const { mechanism, variant, offloaded, here } = first.call;
  const why = `${[...words].join(' and ')} are checkpointed apart (line ${source.lineOf(here.call)}); they are counted as whole layers`;
  return supposed(checkpointed(mechanism, { variant, offloaded }), why);
}
