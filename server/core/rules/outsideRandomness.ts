import { givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Call, Expression } from '../python/ast.ts';
import { oncePer } from '../python/oncePer.ts';
import { callsIn, type RegionBody } from '../sites/region.ts';
import type { SourceFile } from '../workspace/workspace.ts';
import { descendants } from './loopVariables.ts';
import { callsRun } from './regionCode.ts';

/** A call of a region that takes what differs between two passes although torch restores its own generators. */
export interface UnpreservedDraw {
  readonly call: Call;
  /** As a clause: `random.random draws again`. */
  readonly draw: string;
}

export const unpreservedDraws = (body: RegionBody): readonly UnpreservedDraw[] =>
  body.file.names.lasting(body.callable, drawsKind, () =>
    callsRun(body).flatMap((call) => {
      const draw = unpreservedDraw(call, body);
      return draw === undefined ? [] : [{ call, draw }];
    }),
  );

const drawsKind = Symbol('unpreserved draws');

function unpreservedDraw(call: Call, body: RegionBody): string | undefined {
  const { file } = body;
  const qualified = file.names.qualifiedName(call.callee);
  if (qualified === undefined) return drawFromOwnSource(call, body);
  const split = qualified.lastIndexOf('.');
  const [library, name] = [qualified.slice(0, split), qualified.slice(split + 1)];
  if (seeding.has(qualified)) return anotherSeed(call, qualified, file);
  if (library === 'random' && pythonDraws.has(name)) return `${qualified} draws again`;
  if (library === 'numpy.random' && numpyDraws.has(name)) return `${qualified} draws again`;
  if (library === 'secrets' && secretDraws.has(name)) return `${qualified} draws again`;
  if (library !== 'torch') return undefined;
  const generator = keywordNamed(givenArguments([], call.arguments), 'generator')?.value;
  return generator !== undefined && goesOn(generator, body, torchSources)
    ? 'an own torch.Generator draws again'
    : undefined;
}

/** A region that seeds is the same each time, unless the seed is not. */
export const seedsItself = ({ callable, file }: RegionBody): boolean =>
  seedingCallsIn(callable).some(
    (call) => anotherSeed(call, file.names.qualifiedName(call.callee) ?? '', file) === undefined,
  );

const seedingCallsIn = oncePer((callable: RegionBody['callable']): readonly Call[] =>
  callsIn(callable).filter(
    ({ callee }) =>
      callee.kind === 'attribute' && /^(manual_)?seed$|^set_?state$|^fork_rng$/.test(callee.attribute.name),
  ),
);

/** `random.seed()` asks the operating system; a seed may also come from the clock. */
function anotherSeed(call: Call, qualified: string, { names }: SourceFile): string | undefined {
  if (call.arguments.length === 0) {
    return seeding.has(qualified) ? `${qualified}() takes another seed` : undefined;
  }
  const source = call.arguments
    .flatMap(({ value }) => descendants(value))
    .map((one) => (one.kind === 'call' ? names.qualifiedName(one.callee) : undefined))
    .find((name) => name !== undefined && unrepeatable.has(name));
  return source === undefined ? undefined : `${source}() gives another seed`;
}

/** `self.rng.uniform()`, where the object is a generator of NumPy or Python that goes on where forward left it. */
function drawFromOwnSource({ callee }: Call, body: RegionBody): string | undefined {
  if (callee.kind !== 'attribute') return undefined;
  const { name } = callee.attribute;
  if (numpyDraws.has(name) && goesOn(callee.object, body, numpySources)) return 'an own NumPy generator draws again';
  if (pythonDraws.has(name) && goesOn(callee.object, body, pythonSources)) return 'an own random.Random draws again';
  return undefined;
}

/** A generator made outside the region keeps its place between the two passes; one made inside starts anew in both. */
function goesOn(value: Expression, { file, callable }: RegionBody, sources: ReadonlySet<string>): boolean {
  const values = valuesOf(value, file);
  return (
    values.length > 0 &&
    values.every((one) => {
      const construction = one === undefined ? undefined : constructionOf(one, file, sources);
      if (construction === undefined) return false;
      const isInside = callable.start <= construction.start && construction.end <= callable.end;
      // Without a seed the operating system gives one, a new one in each pass; torch's own begins with a fixed one.
      return !isInside || (sources !== torchSources && construction.arguments.length === 0);
    })
  );
}

function valuesOf(value: Expression, { names }: SourceFile): readonly (Expression | undefined)[] {
  if (value.kind === 'call') return [value];
  if (value.kind === 'attribute') {
    const owner = names.classOfSelf(value.object);
    return owner === undefined ? [] : names.memberValues(owner, value.attribute.name);
  }
  if (value.kind !== 'name') return [];
  return names.bindingsOf(value).map((binding) => (binding.to === 'value' ? binding.value : undefined));
}

/** `torch.Generator()`, also with `.manual_seed(0)` behind it. */
function constructionOf(value: Expression, file: SourceFile, sources: ReadonlySet<string>): Call | undefined {
  if (value.kind !== 'call') return undefined;
  if (sources.has(file.names.qualifiedName(value.callee) ?? '')) return value;
  return value.callee.kind === 'attribute' ? constructionOf(value.callee.object, file, sources) : undefined;
}

const torchSources: ReadonlySet<string> = new Set(['torch.Generator']);
const numpySources: ReadonlySet<string> = new Set(['numpy.random.default_rng', 'numpy.random.RandomState']);
const pythonSources: ReadonlySet<string> = new Set(['random.Random', 'random.SystemRandom']);

const seeding: ReadonlySet<string> = new Set([
  ...['torch.manual_seed', 'torch.seed', 'torch.cuda.manual_seed', 'torch.cuda.manual_seed_all'],
  ...['random.seed', 'numpy.random.seed'],
]);

/** Never the same twice. */
const unrepeatable: ReadonlySet<string> = new Set([
  ...['time.time', 'time.time_ns', 'time.perf_counter', 'time.perf_counter_ns', 'time.monotonic', 'time.monotonic_ns'],
  ...['uuid.uuid1', 'uuid.uuid4', 'os.urandom', 'secrets.randbits', 'secrets.randbelow', 'datetime.datetime.now'],
  ...['random.random', 'random.randint', 'random.getrandbits', 'random.randrange'],
  ...['numpy.random.randint', 'numpy.random.rand', 'numpy.random.random'],
]);

const secretDraws: ReadonlySet<string> = new Set(['choice', 'randbelow', 'randbits']);

const pythonDraws: ReadonlySet<string> = new Set([
  ...['random', 'uniform', 'randint', 'randrange', 'choice', 'choices', 'sample', 'shuffle', 'gauss', 'normalvariate'],
  ...['betavariate', 'expovariate', 'triangular', 'getrandbits', 'lognormvariate', 'vonmisesvariate', 'gammavariate'],
]);

const numpyDraws: ReadonlySet<string> = new Set([
  ...['rand', 'randn', 'randint', 'random', 'random_sample', 'uniform', 'normal', 'choice', 'permutation', 'shuffle'],
  ...['binomial', 'beta', 'poisson', 'exponential', 'standard_normal', 'multinomial', 'gamma', 'laplace', 'geometric'],
  'integers',
]);
