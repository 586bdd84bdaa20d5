import { type GivenArguments, givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Call, Expression } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import type { Region } from '../sites/region.ts';
import type { SourceFile } from '../workspace/workspace.ts';
import { callsRun, isGuarded, testsAround } from './regionCode.ts';

/** Something in a region that draws from torch's random state. */
export interface RandomDraw {
  readonly file: SourceFile;
  readonly call: Call;
  /** As a person would name it: `Dropout(p=0.1)`, `torch.randn`. */
  readonly what: string;
  /** False where it may turn out not to draw: a probability that is not known here, a branch that may not be taken. */
  readonly certain: boolean;
}

/** Draws of a region whose probability is not certainly zero. */
export function randomDraws(region: Region): RandomDraw[] {
  const fromModules = region.libraryModules.flatMap(({ qualified, file, construction }) => {
    const parameter = moduleProbability.get(qualified);
    return parameter === undefined ? [] : draw(file, construction, qualified, parameter, []);
  });
  const fromCalls = region.bodies.flatMap((body) =>
    callsRun(body).flatMap((call) => {
      const qualified = body.file.names.qualifiedName(call.callee);
      const parameter = qualified === undefined ? undefined : functionProbability.get(qualified);
      if ((parameter === undefined && !isFilling(call)) || isGuarded(body.file, call)) return [];
      const tests = testsAround(body.file, call);
      if (qualified === undefined) return methodDraw(body.file, call, tests);
      return parameter === undefined ? [] : draw(body.file, call, qualified, parameter, tests);
    }),
  );
  return [...fromModules, ...fromCalls];
}

interface Probability {
  readonly keyword: string;
  readonly position: number;
  /** 1 for functions that always draw. */
  readonly default: number;
}

const probability = (keyword: string, position: number, byDefault: number): Probability => ({
  keyword,
  position,
  default: byDefault,
});

const dropout = probability('p', 0, 0.5);
const moduleProbability: ReadonlyMap<string, Probability> = new Map([
  ...['Dropout', 'Dropout1d', 'Dropout2d', 'Dropout3d', 'AlphaDropout', 'FeatureAlphaDropout'].map(
    (name) => [`torch.nn.${name}`, dropout] as const,
  ),
  ['torch.nn.MultiheadAttention', probability('dropout', 2, 0)],
  ['torch.nn.TransformerEncoderLayer', probability('dropout', 3, 0.1)],
  ['torch.nn.TransformerDecoderLayer', probability('dropout', 3, 0.1)],
  ['torch.nn.LSTM', probability('dropout', 5, 0)],
  ['torch.nn.GRU', probability('dropout', 5, 0)],
]);

const always = probability('', Number.POSITIVE_INFINITY, 1);
const functionProbability: ReadonlyMap<string, Probability> = new Map([
  ...['dropout', 'dropout1d', 'dropout2d', 'dropout3d', 'alpha_dropout', 'feature_alpha_dropout'].map(
    (name) => [`torch.nn.functional.${name}`, probability('p', 1, 0.5)] as const,
  ),
  ['torch.nn.functional.scaled_dot_product_attention', probability('dropout_p', 4, 0)],
  ...['rand', 'randn', 'rand_like', 'randn_like', 'randint', 'randperm', 'bernoulli', 'multinomial', 'normal'].map(
    (name) => [`torch.${name}`, always] as const,
  ),
  ['torch.nn.functional.gumbel_softmax', always],
]);

/** Tensor methods that fill with random numbers; nothing else is called so. */
const fillingMethods: ReadonlySet<string> = new Set(['bernoulli_', 'uniform_', 'normal_', 'exponential_']);

const isFilling = ({ callee }: Call): boolean =>
  callee.kind === 'attribute' && fillingMethods.has(callee.attribute.name);

function methodDraw(file: SourceFile, call: Call, tests: readonly Expression[]): RandomDraw[] {
  if (call.callee.kind !== 'attribute' || !isFilling(call)) return [];
  if (keywordNamed(givenArguments([], call.arguments), 'generator') !== undefined) return [];
  return [{ file, call, what: `.${call.callee.attribute.name}()`, certain: tests.length === 0 }];
}

function draw(
  file: SourceFile,
  call: Call,
  qualified: string,
  parameter: Probability,
  tests: readonly Expression[],
): RandomDraw[] {
  const given = givenArguments([], call.arguments);
  if (given.openKeywords || given.openPositional) return [];
  if (keywordNamed(given, 'generator') !== undefined || isOff(file, given, qualified)) return [];
  const value = keywordNamed(given, parameter.keyword)?.value ?? given.positional[parameter.position]?.value;
  const known = value === undefined ? parameter.default : highest(value, file);
  if (known === 0) return [];
  const name = qualified.startsWith('torch.nn.') ? qualified.slice(qualified.lastIndexOf('.') + 1) : qualified;
  const written = value === undefined ? undefined : file.module.text.slice(value.start, value.end);
  const shown = parameter === always ? name : `${name}(${parameter.keyword}=${written ?? parameter.default})`;
  return [{ file, call, what: shown, certain: known !== undefined && tests.length === 0 }];
}

/** `F.dropout(x, 0.1, training=False)` never draws; `F.dropout(x, 0.1)` always does. */
function isOff(file: SourceFile, given: GivenArguments, qualified: string): boolean {
  if (!qualified.startsWith('torch.nn.functional.')) return false;
  const training = keywordNamed(given, 'training')?.value ?? given.positional[2]?.value;
  return training !== undefined && constantOf(training, file.names) === false;
}

/** The number an expression stands for, or a parameter's default where it is zero; undefined where it is not known. */
function highest(value: Expression, file: SourceFile): number | undefined {
  const constant = constantOf(value, file.names);
  if (typeof constant === 'number') return constant;
  if (value.kind === 'conditional') {
    const [a, b] = [highest(value.whenTrue, file), highest(value.whenFalse, file)];
    return a === 0 && b === 0 ? 0 : undefined;
  }
  if (value.kind === 'attribute') {
    const owner = file.names.classOfSelf(value.object);
    const values = owner === undefined ? [] : file.names.memberValues(owner, value.attribute.name);
    return values.length > 0 && values.every((one) => one !== value && isZero(one, file)) ? 0 : undefined;
  }
  return isZero(value, file) ? 0 : undefined;
}

/** Zero as written, or a parameter that is zero unless somebody says otherwise. */
function isZero(value: Expression, file: SourceFile): boolean {
  if (constantOf(value, file.names) === 0) return true;
  if (value.kind !== 'name') return false;
  const bindings = file.names.bindingsOf(value);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding?.to !== 'parameter' || binding.parameter.default === undefined) return false;
  return constantOf(binding.parameter.default, file.names) === 0;
}
