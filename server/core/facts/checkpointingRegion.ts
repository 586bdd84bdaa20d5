import type { ClassDefinition, Expression, For, FunctionDefinition, Lambda } from '../python/ast.ts';
import { expressionsUnder, statementsOf } from '../python/walk.ts';
import { anyIn, loopNames, namesIn, namesLayers } from './checkpointingLoop.ts';
import { lastName, type Source, type Surroundings, writtenAs } from './source.ts';

/** How much of a model one checkpointed call runs. */
export type Covered =
  /** A whole layer, once for every layer. */
  | { readonly kind: 'layer' }
  /** Scores, softmax and weighted sum of attention, without the projections around them. */
  | { readonly kind: 'attention core' }
  /** All layers at once. */
  | { readonly kind: 'all layers' }
  /** Something smaller than a layer. */
  | { readonly kind: 'part'; readonly words: string }
  /** Whatever its function is given by its callers, as the parameter at `position`. */
  | { readonly kind: 'handed on'; readonly function: FunctionDefinition; readonly position: number }
  | { readonly kind: 'unknown'; readonly words: string };

/** `run` is the function that the call at `around` checkpoints, `given` what it is called with. */
export function coveredBy(
  source: Source,
  run: Expression,
  given: readonly Expression[],
  around: Surroundings,
): Covered {
  if (isAttentionCore(source, run, around)) return { kind: 'attention core' };
  const words = writtenAs(source, run);
  const loop = around.loops.at(-1);
  if (loop !== undefined) {
    const inLoop = coveredInLoop(source, run, given, loop);
    if (inLoop !== undefined) return inLoop;
  }
  const handed = handedOn(source, run);
  if (handed !== undefined) return handed;
  const owner = around.class;
  const body = bodyOf(source, run, owner);
  if (body !== undefined && walksLayers(body)) return { kind: 'all layers' };
  if (loop !== undefined || owner === undefined) return { kind: 'unknown', words };
  if (partNames.test(owner.name.name)) return { kind: 'part', words: owner.name.name };
  const isOwnModule = run.kind === 'attribute' && body === undefined && source.names.classOfSelf(run.object) === owner;
  if (!isOwnModule) return body === undefined ? { kind: 'unknown', words } : { kind: 'layer' };
  const name = run.attribute.name;
  if (/attn|attention|mlp|ffn?$|feed_?forward|norm|conv|expert|router|gate/i.test(name)) return { kind: 'part', words };
  return /block|layer/i.test(name) && !name.endsWith('s') ? { kind: 'layer' } : { kind: 'unknown', words };
}

/** Modules that are less than a layer by their name. */
export const partNames =
  /(Attention|Attn|MLP|Mlp|FeedForward|FFN|Norm|Linear|Embeddings?|Experts?|Router|Conv)(\dd|\dD|V\d|v\d)?$/;

/** A module that is made on the spot or just before: `checkpoint_wrapper(Block(config))`. */
export function builtModule(source: Source, run: Expression): Covered | undefined {
  const roots = source.rootsOf(run);
  const [root] = roots;
  if (roots.length !== 1 || root?.kind !== 'call') return undefined;
  const name = lastName(root.callee);
  if (!/^[A-Z]/.test(name)) return undefined;
  if (partNames.test(name)) return { kind: 'part', words: writtenAs(source, run) };
  return /Block|Layer/.test(name) ? { kind: 'layer' } : undefined;
}

/** What hangs on the loop's layer runs that layer, unless it is a member of it. */
function coveredInLoop(source: Source, run: Expression, given: readonly Expression[], loop: For): Covered | undefined {
  const words = writtenAs(source, run);
  const names = loopNames(loop);
  const layers = new Set(names.layers);
  if (names.index !== undefined) layers.add(names.index);
  const member = run.kind === 'attribute' && !/^(forward|__call__|\w*forward\w*)$/.test(run.attribute.name);
  if (member && run.object.kind === 'name' && names.layers.includes(run.object.name)) return { kind: 'part', words };
  if (names.isTakenApart && run.kind === 'name' && names.layers.includes(run.name)) return { kind: 'part', words };
  if (mentions(source, run, layers)) {
    const isPiece = run.kind === 'call' && /segment|chunk|group|stage|part/i.test(lastName(run.callee));
    return isPiece && names.layers.length === 0 ? { kind: 'unknown', words } : { kind: 'layer' };
  }
  const local = run.kind === 'name' || run.kind === 'lambda' ? localFunction(source, run) : undefined;
  const inside = local === undefined ? [] : local.kind === 'lambda' ? [local.body] : [...expressionsUnder(local.body)];
  if (inside.some((expression) => mentions(source, expression, layers))) return { kind: 'layer' };
  // `checkpoint(self.run, layer, x)`
  const isGiven = given.some((each) => each.kind === 'name' && names.layers.includes(each.name));
  return isGiven && namesLayers(source, loop.iterable) ? { kind: 'layer' } : undefined;
}

/** Names what the loop names, or what is picked by that: `layer = self.layers[i]`. */
const mentions = (source: Source, expression: Expression, names: ReadonlySet<string>): boolean =>
  anyIn(expression, (each) => {
    if (each.kind !== 'name') return false;
    if (names.has(each.name)) return true;
    const roots = source.rootsOf(each);
    const [root] = roots;
    return (
      roots.length === 1 &&
      root?.kind === 'subscript' &&
      root.indices.some((index) => index.kind === 'name' && names.has(index.name))
    );
  });

/** `def run_layer(self, layer, x): return checkpoint(layer, x)`. */
function handedOn(source: Source, run: Expression): Covered | undefined {
  if (run.kind !== 'name') return undefined;
  const [binding, ...others] = source.names.bindingsOf(run);
  if (binding?.to !== 'parameter' || others.length > 0) return undefined;
  const { node } = binding.scope;
  if (!('kind' in node) || node.kind !== 'function') return undefined;
  return { kind: 'handed on', function: node, position: node.parameters.indexOf(binding.parameter) };
}

function localFunction(source: Source, run: Expression): FunctionDefinition | Lambda | undefined {
  const { targets } = source.names.resolve(run);
  const definition = targets.length === 1 ? targets[0]?.definition : undefined;
  return definition?.kind === 'class' ? undefined : definition;
}

/** What runs: a function of this file, a lambda, or a method of the class around. */
function bodyOf(
  source: Source,
  run: Expression,
  owner: ClassDefinition | undefined,
): FunctionDefinition | Lambda | undefined {
  const own = owner?.body.find(
    (statement) =>
      statement.kind === 'function' && run.kind === 'attribute' && statement.name.name === run.attribute.name,
  );
  if (own?.kind === 'function' && run.kind === 'attribute' && source.names.classOfSelf(run.object) === owner)
    return own;
  return localFunction(source, run);
}

/** A loop in it calls what it walks over. */
function walksLayers(body: FunctionDefinition | Lambda): boolean {
  if (body.kind === 'lambda') return false;
  return [...statementsOf(body.body)].some((statement) => {
    if (statement.kind !== 'for') return false;
    const names = new Set(namesIn(statement.target));
    return [...expressionsUnder(statement.body)].some(
      (each) => each.kind === 'call' && each.callee.kind === 'name' && names.has(each.callee.name),
    );
  });
}

const coreNames =
  /^_?(core_attention|core_attn|attention_core|attn_core|core_attention_flash|sdpa|scaled_dot_product_attention|dot_product_attention)$/;
const coreCalls =
  /^(scaled_dot_product_attention|flash_attn\w*func|memory_efficient_attention|softmax|baddbmm|bmm|matmul|einsum)$/;

/** By the name it has everywhere, or a function in an attention class that multiplies and takes the softmax and projects nothing. */
function isAttentionCore(source: Source, run: Expression, around: Surroundings): boolean {
  const name = run.kind === 'attribute' || run.kind === 'name' ? lastName(run) : '';
  if (coreNames.test(name)) return true;
  if (around.class === undefined || !/Attention|Attn/.test(around.class.name.name)) return false;
  const body = bodyOf(source, run, around.class);
  if (body === undefined) return false;
  const inside = body.kind === 'lambda' ? [body.body] : [...expressionsUnder(body.body)];
  const calls = inside.flatMap((expression) => (expression.kind === 'call' ? [expression] : []));
  const names = calls.map(({ callee }) => lastName(callee));
  const attends = names.some((each) => /scaled_dot_product|flash_attn|memory_efficient|softmax/.test(each));
  const projects = calls.some(
    ({ callee }) =>
      callee.kind === 'attribute' &&
      source.names.classOfSelf(callee.object) !== undefined &&
      /proj|qkv|^w?[qkvo]$|to_[qkvo]|query|key|value|dense|linear|out/i.test(callee.attribute.name),
  );
  return attends && !projects && names.some((each) => coreCalls.test(each));
}
