import type { Finding, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import { constantOf } from '../../python/constants.ts';
import { lineOf } from '../regionCode.ts';
import { randomDraws } from '../regionRandomness.ts';

export const rule: Rule = {
  code: 'AC302',
  name: 'dropout-without-rng',
  severity: 'error',
  summary: '`preserve_rng_state=False` over a region that uses dropout or other torch randomness',
  *check(context): Generator<Finding> {
    for (const site of context.sites) {
      const option = keywordNamed(site.given, 'preserve_rng_state');
      if (option === undefined || constantOf(option.value, context.names) !== false) continue;
      const draws = randomDraws(context.region(site));
      const draw = draws.find(({ certain }) => certain) ?? draws[0];
      if (draw === undefined) continue;
      const place = `${draw.file === context.file ? '' : `${draw.file.path.split('/').at(-1)} `}line ${lineOf(draw.file, draw.call)}`;
      const certainly = draw.certain
        ? 'gradients are silently wrong'
        : 'gradients are silently wrong as soon as it draws';
      const own = !option.preset && option.argument.kind === 'keyword';
      yield {
        at: option.preset ? site.call.callee : option.argument,
        about: site.call,
        severity: draw.certain ? 'error' : 'warning',
        message: `${draw.what} (${place}) draws other numbers in the recomputation than in forward: ${certainly}`,
        fixes: own
          ? [
              {
                title: 'Change to preserve_rng_state=True',
                preferred: true,
                edits: [{ span: { start: option.value.start, end: option.value.end }, text: 'True' }],
              },
            ]
          : [],
      };
    }
  },
};
