import { type ChosenStrategy, chosenText } from './chosen.ts';
import { inGuardedSegments } from './guardedSegments.ts';
import { type LayerLoop, layerLoops } from './layerLoop.ts';
import { type ApplyContext, type ApplyPlace, type Change, cannot } from './place.ts';
import { setPolicy, unwrapCall, wrapCall } from './regionEdits.ts';
import { inSegments } from './segmentCode.ts';
import { segmentedLoops } from './segmentedLoop.ts';
import { asSequential } from './sequentialCode.ts';
import { writtenIn } from './sourceLayout.ts';

/** Loops of hand-written models over their layers: `for block in self.blocks: x = block(x)`. */
export function loopPlaces(context: ApplyContext): ApplyPlace[] {
  const segmented = segmentedLoops(context);
  return layerLoops(context)
    .filter(({ loop }) => !segmented.some(({ inner }) => inner === loop))
    .map((found) => ({
      form: 'loop',
      what: `the loop over ${writtenIn(context.module, found.layers)}`,
      at: found.loop,
      isOn: found.site !== undefined,
      put: (chosen) => put(context, found, chosen),
    }));
}

function put(context: ApplyContext, found: LayerLoop, chosen: ChosenStrategy): Change {
  const { site, call } = found;
  const conditional = site === undefined ? undefined : conditionOf(context, found);
  const keepsCondition = chosen.name === 'policy' || (chosen.name === 'full' && chosen.segment === 1);
  if (conditional !== undefined && chosen.name === 'full' && chosen.segment > 1)
    return inGuardedSegments(context, found, chosen.segment);
  if (conditional !== undefined && !keepsCondition)
    return cannot(`line ${context.lineOf(call)} checkpoints only where ${conditional}: change that condition instead`);
  switch (chosen.name) {
    case 'none':
      return site === undefined ? { edits: [] } : unwrapCall(context, site);
    case 'full':
      if (chosen.segment > 1) return inSegments(context, found, chosen.segment);
      return site === undefined ? wrapCall(context, call, false) : setPolicy(context, site, false);
    case 'policy':
      return site === undefined ? wrapCall(context, call, true) : setPolicy(context, site, true);
    case 'sequential':
      return asSequential(context, found, chosen.segment);
    default:
      return cannot(reasons[chosen.name] ?? `${chosenText(chosen)} cannot be said in a loop`);
  }
}

const reasons: Partial<Record<ChosenStrategy['name'], string>> = {
  selective: 'only Megatron-LM recomputes the attention core by itself; in a loop a policy comes nearest',
  'every-second': 'a loop that checkpoints every second layer has to be written by hand',
  'policy-second': 'a policy that counts operations has to be written for the model: it needs a count for each region',
  offload: 'where the inputs of regions wait is decided by the framework that trains',
};

function conditionOf({ around, module }: ApplyContext, { call }: LayerLoop): string | undefined {
  const [condition] = around(call).conditions.slice(-1);
  return condition === undefined
    ? undefined
    : `${writtenIn(module, condition.test)} ${condition.holds ? 'holds' : 'does not hold'}`;
}
