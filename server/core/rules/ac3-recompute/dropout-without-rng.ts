import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenArguments, type GivenKeyword, keywordNamed } from '../../python/arguments.ts';
import type { Call } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import { type CheckpointedRegion, regionsWhere } from '../checkpointedRegions.ts';
import { lineOf } from '../regionCode.ts';
import { randomDraws } from '../regionRandomness.ts';

export const rule: Rule = {
  code: 'AC302',
  name: 'dropout-without-rng',
  severity: 'error',
  summary: '`preserve_rng_state=False` over a region that uses dropout or other torch randomness',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    const isAsked = ({ given }: CheckpointedRegion): boolean => keepsNoState(given, context) !== undefined;
    for (const { call, given, region } of regionsWhere(context, withoutState, isAsked)) {
      const option = keepsNoState(given, context);
      if (option === undefined) continue;
      const draws = randomDraws(region());
      const draw = draws.find(({ certain }) => certain) ?? draws[0];
      if (draw === undefined) continue;
      const place = `${draw.file === context.file ? '' : `${draw.file.path.split('/').at(-1)} `}line ${lineOf(draw.file, draw.call)}`;
      const certainly = draw.certain
        ? 'gradients are silently wrong'
        : 'gradients are silently wrong as soon as it draws';
      // What a `partial` gave ahead stands elsewhere, perhaps in another file.
      const holder = context.calls.all().find((one) => one.arguments.includes(option.argument));
      const at = holder === undefined ? call.callee : option.argument;
      if (reported.has(at.start)) continue;
      reported.add(at.start);
      yield {
        at,
        about: holder ?? call,
        severity: draw.certain ? 'error' : 'warning',
        message: `${draw.what} (${place}) draws other numbers in the recomputation than in forward: ${certainly}`,
        fixes: fixesFor(context, option, holder),
      };
    }
  },
};

const withoutState = Symbol('region that keeps no random state');

function keepsNoState(given: GivenArguments, { names }: LintContext): GivenKeyword | undefined {
  const option = keywordNamed(given, 'preserve_rng_state');
  return option !== undefined && constantOf(option.value, names) === false ? option : undefined;
}

/** Keeping the state is the default, so the option goes; one entry of a dictionary changes where it stands. */
function fixesFor({ module }: LintContext, option: GivenKeyword, holder: Call | undefined): Fix[] {
  if (holder === undefined) return [];
  if (option.argument.kind === 'keyword') {
    const edits = removeArguments(module, holder, [option.argument]);
    return [{ title: 'Remove preserve_rng_state=False', preferred: true, edits }];
  }
  const { start, end } = option.value;
  const edits = [{ span: { start, end }, text: 'True' }];
  return [{ title: 'Change to preserve_rng_state=True', preferred: true, edits }];
}
