import type { LintContext } from '../lint/rule.ts';
import { type GivenArguments, givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Call, Expression } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import { type CheckpointSite, isReentrant } from '../sites/checkpointSite.ts';
import type { Region } from '../sites/region.ts';
import type { Span } from '../text/span.ts';
import { soleDefinition } from '../workspace/definitions.ts';
import { applyActivationCheckpointing, wrapperCalls, wrapperModule } from './wrapperCalls.ts';

/** A call that makes a region, or has torch's wrapper make one, with the options `checkpoint` gets and the code it runs. */
export interface CheckpointedRegion {
  readonly call: Call;
  readonly given: GivenArguments;
  /** Reentrant for certain, by choice or by default. */
  readonly isReentrant: boolean;
  region(): Region;
}

/**
 * `checkpoint(…)`, `checkpoint_wrapper(module, …)`, and the blocks that `apply_activation_checkpointing` looks for: those of
 * which `isMeant` says so, by what `LintContext.sitesWhere` allows.
 */
export function regionsWhere(
  context: LintContext,
  kind: symbol,
  isMeant: (region: CheckpointedRegion) => boolean,
): readonly CheckpointedRegion[] {
  const ofSite = (site: CheckpointSite): CheckpointedRegion => ({
    call: site.call,
    given: site.given,
    isReentrant: isReentrant(site),
    region: () => context.region(site),
  });
  const fromSites = context.sitesWhere(kind, (site) => isMeant(ofSite(site))).map(ofSite);
  return [...fromSites, ...wrapperRegions(context).filter(isMeant)];
}

/** Several rules ask about the same file. */
const wrapperRegions = oncePer((context: LintContext): readonly CheckpointedRegion[] => [
  ...findWrapperRegions(context),
]);

function* findWrapperRegions(context: LintContext): Generator<CheckpointedRegion> {
  const { calls, names } = context;
  const own = new Set(wrapperCalls(context).flatMap(({ call, hasOwnFunction }) => (hasOwnFunction ? [call] : [])));
  for (const { call, given } of calls.to(`${wrapperModule}.checkpoint_wrapper`)) {
    const module = (keywordNamed(given, 'module') ?? given.positional[0])?.value;
    if (module === undefined || own.has(call)) continue;
    yield { call, given, isReentrant: asksForReentrant(given, context), region: () => regionOf(module, context) };
  }
  for (const { call, given } of calls.to(...applyActivationCheckpointing)) {
    const wrap = (keywordNamed(given, 'checkpoint_wrapper_fn') ?? given.positional[1])?.value;
    const check = (keywordNamed(given, 'check_fn') ?? given.positional[2])?.value;
    const options = wrap === undefined ? givenArguments([], []) : optionsOf(wrap, names);
    if (options === undefined || check === undefined) continue;
    for (const block of classesChecked(check, context)) {
      // How a block of a library was made is not known here.
      const isOwn = soleDefinition(block, context.file, context.workspace) !== undefined;
      if (!isOwn) continue;
      const region = (): Region => regionOf(instanceOf(block), context);
      yield { call, given: options, isReentrant: asksForReentrant(options, context), region };
    }
  }
}

/** What is given ahead to torch's wrapper; undefined for any other function. */
function optionsOf(wrap: Expression, names: Names): GivenArguments | undefined {
  const { targets, complete } = names.resolve(wrap);
  const [only] = targets;
  if (!complete || targets.length !== 1 || only?.qualified !== `${wrapperModule}.checkpoint_wrapper`) return undefined;
  const options = givenArguments(only.preset, []);
  return keywordNamed(options, 'checkpoint_fn') === undefined ? options : undefined;
}

const asksForReentrant = (given: GivenArguments, { names }: LintContext): boolean => {
  const implementation = keywordNamed(given, 'checkpoint_impl')?.value;
  return implementation !== undefined && /\.REENTRANT$/.test(names.qualifiedName(implementation) ?? '');
};

const regionOf = (module: Expression, context: LintContext): Region => context.region(siteAround(module));

/** The same one for every version of the file that has the module: its region is kept by it. */
const siteAround = oncePer(
  (module: Expression): CheckpointSite => ({
    function: 'checkpoint',
    call: instanceOf(module),
    given: givenArguments([], [{ kind: 'positional', start: module.start, end: module.end, value: module }]),
    useReentrant: { kind: 'unknown' },
    configuresOnly: false,
  }),
);

/** What `Block` is an object of, as the expression that makes one. */
const instanceOf = oncePer((callee: Expression): Call => new Making(callee));

/** Stands where what is called does, also when that is moved. */
class Making implements Call {
  readonly kind = 'call';
  readonly callee: Expression;
  readonly arguments = [];

  constructor(callee: Expression) {
    this.callee = callee;
  }

  get start(): number {
    return this.callee.start;
  }

  get end(): number {
    return this.callee.end;
  }

  get argumentList(): Span {
    return { start: this.end, end: this.end };
  }
}

/** The classes of `lambda module: isinstance(module, Block)`, or of a function that returns that. */
function classesChecked(check: Expression, { names }: LintContext): readonly Expression[] {
  const { targets, complete } = names.resolve(check);
  const definition = complete && targets.length === 1 ? targets[0]?.definition : undefined;
  const [first] = definition?.kind === 'function' ? definition.body : [];
  const body = definition?.kind === 'lambda' ? definition.body : first?.kind === 'return' ? first.value : undefined;
  if (body?.kind !== 'call' || body.callee.kind !== 'name' || body.callee.name !== 'isinstance') return [];
  const asked = body.arguments[1]?.value;
  return asked === undefined ? [] : asked.kind === 'tuple' ? asked.elements : [asked];
}
