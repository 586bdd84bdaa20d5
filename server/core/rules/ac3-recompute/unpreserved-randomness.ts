import type { Finding, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import { callsIn, type RegionBody } from '../../sites/region.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import { expressionsRun, isGuarded, placeInRegion } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC303',
  name: 'unpreserved-randomness',
  severity: 'error',
  summary: 'random numbers from Python, NumPy or an own generator inside a region: torch keeps only its own state',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const site of context.sites) {
      // A context_fn may put back any state it likes.
      if (keywordNamed(site.given, 'context_fn') !== undefined || site.given.openKeywords) continue;
      const { bodies } = context.region(site);
      if (bodies.some(seeds)) continue;
      for (const body of bodies) {
        for (const expression of expressionsRun(body)) {
          if (expression.kind !== 'call' || isGuarded(body.file, expression)) continue;
          const source = sourceOf(expression, body);
          if (source === undefined) continue;
          const { at, about, where } = placeInRegion(context, site, body.file, expression.callee);
          if (reported.has(at.start)) continue;
          reported.add(at.start);
          yield {
            at,
            about,
            message: `${source} draws again in the recomputation ${where}, and checkpoint only restores torch's default generators: gradients are silently wrong`,
            fixes: [],
          };
        }
      }
    }
  },
};

/** Where a call gets its random numbers from, if that is not one of torch's default generators. */
function sourceOf(call: Call, { file, callable }: RegionBody): string | undefined {
  const qualified = file.names.qualifiedName(call.callee);
  if (qualified === undefined) return undefined;
  const [library, name] = [
    qualified.slice(0, qualified.lastIndexOf('.')),
    qualified.slice(qualified.lastIndexOf('.') + 1),
  ];
  if (library === 'random' && pythonDraws.has(name)) return qualified;
  if (library === 'numpy.random' && numpyDraws.has(name)) return qualified;
  if (library !== 'torch') return undefined;
  const generator = keywordNamed(givenArguments([], call.arguments), 'generator')?.value;
  return generator !== undefined && isOwnGenerator(generator, file, callable) ? 'an own torch.Generator' : undefined;
}

/** A generator made outside the region keeps its place between the two passes; one made inside starts anew in both. */
function isOwnGenerator(value: Expression, file: SourceFile, callable: RegionBody['callable']): boolean {
  const values =
    value.kind === 'attribute'
      ? memberValues(value, file)
      : value.kind === 'name'
        ? file.names.bindingsOf(value).map((binding) => (binding.to === 'value' ? binding.value : undefined))
        : [];
  return (
    values.length > 0 &&
    values.every((one) => one !== undefined && makesGenerator(one, file)) &&
    !values.some((one) => one !== undefined && callable.start <= one.start && one.end <= callable.end)
  );
}

function memberValues(value: Expression & { kind: 'attribute' }, file: SourceFile): readonly Expression[] {
  const owner = file.names.classOfSelf(value.object);
  return owner === undefined ? [] : file.names.memberValues(owner, value.attribute.name);
}

/** `torch.Generator()`, also with `.manual_seed(0)` behind it. */
function makesGenerator(value: Expression, file: SourceFile): boolean {
  if (value.kind !== 'call') return false;
  if (file.names.qualifiedName(value.callee) === 'torch.Generator') return true;
  return value.callee.kind === 'attribute' && makesGenerator(value.callee.object, file);
}

/** A region that seeds is the same each time. */
const seeds = ({ callable }: RegionBody): boolean =>
  callsIn(callable).some(
    ({ callee }) =>
      callee.kind === 'attribute' && /^(manual_)?seed$|^set_?state$|^fork_rng$/.test(callee.attribute.name),
  );

const pythonDraws: ReadonlySet<string> = new Set([
  ...['random', 'uniform', 'randint', 'randrange', 'choice', 'choices', 'sample', 'shuffle', 'gauss', 'normalvariate'],
  ...['betavariate', 'expovariate', 'triangular', 'getrandbits', 'lognormvariate', 'vonmisesvariate', 'gammavariate'],
]);

const numpyDraws: ReadonlySet<string> = new Set([
  ...['rand', 'randn', 'randint', 'random', 'random_sample', 'uniform', 'normal', 'choice', 'permutation', 'shuffle'],
  ...['binomial', 'beta', 'poisson', 'exponential', 'standard_normal', 'multinomial', 'gamma', 'laplace', 'geometric'],
]);
