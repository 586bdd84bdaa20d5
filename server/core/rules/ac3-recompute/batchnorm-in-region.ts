import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import type { LibraryModule } from '../../sites/region.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import { lineOf } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC305',
  name: 'batchnorm-in-region',
  severity: 'information',
  summary: 'batch normalisation inside a region: its running statistics are updated twice per step',
  *check(context): Generator<Finding> {
    for (const site of context.sitesWhere(normalises, (one) => batchNormOf(one, context) !== undefined)) {
      const found = batchNormOf(site, context);
      if (found === undefined) continue;
      const momentum = momentumOf(found.construction, found.file);
      const name = found.qualified.slice(found.qualified.lastIndexOf('.') + 1);
      const path = found.file === context.file ? '' : `${found.file.path.split('/').at(-1)} `;
      const advice =
        momentum === undefined
          ? "a momentum of 1-sqrt(1-m) keeps today's average"
          : `momentum=${round(1 - Math.sqrt(1 - momentum))} instead of ${momentum} keeps today's average`;
      yield {
        at: site.call.callee,
        about: site.call,
        message: `${name} (${path}line ${lineOf(found.file, found.construction)}) updates its running statistics in forward and again in the recomputation: ${advice}`,
        fixes: [],
      };
    }
  },
};

const normalises = Symbol('region with batch normalisation');

const batchNormOf = (site: CheckpointSite, context: LintContext): LibraryModule | undefined =>
  context
    .region(site)
    .libraryModules.find(
      ({ qualified, file, construction }) => batchNorms.has(qualified) && tracks(construction, file),
    );

const batchNorms: ReadonlySet<string> = new Set(
  ['BatchNorm1d', 'BatchNorm2d', 'BatchNorm3d', 'SyncBatchNorm'].map((name) => `torch.nn.${name}`),
);

const momentumPosition = 2;
const tracksPosition = 4;

function tracks(call: Call, { names }: SourceFile): boolean {
  const given = givenArguments([], call.arguments);
  if (given.openKeywords || given.openPositional) return false;
  const value = keywordNamed(given, 'track_running_stats')?.value ?? given.positional[tracksPosition]?.value;
  return value === undefined || constantOf(value, names) === true;
}

/** torch's default is 0.1; None stands for a plain average over all steps. */
function momentumOf(call: Call, { names }: SourceFile): number | undefined {
  const given = givenArguments([], call.arguments);
  const value = keywordNamed(given, 'momentum')?.value ?? given.positional[momentumPosition]?.value;
  if (value === undefined) return 0.1;
  const constant = constantOf(value, names);
  return typeof constant === 'number' && constant > 0 && constant < 1 ? constant : undefined;
}

const round = (value: number): number => Number(value.toPrecision(4));
