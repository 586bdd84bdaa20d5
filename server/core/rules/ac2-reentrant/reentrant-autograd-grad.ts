import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenArguments, givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import { LineIndex } from '../../text/lineIndex.ts';
import { reentrantSitesBehind } from '../sitesBehind.ts';
import { switchToNonReentrant } from '../switchVariant.ts';

export const rule: Rule = {
  code: 'AC202',
  name: 'reentrant-autograd-grad',
  severity: 'error',
  summary: '`torch.autograd.grad` or `backward(inputs=…)` through a reentrant region',
  *check(context): Generator<Finding> {
    if (context.sites.length === 0) return;
    for (const { call, values, asWritten } of partialGradients(context)) {
      const behind = values.flatMap((value) => reentrantSitesBehind(value, context));
      const [first] = behind;
      if (first === undefined) continue;
      const line = new LineIndex(context.module.text).lineAt(first.site.call.start) + 1;
      const isNear = behind.some((one) => one.isNear);
      yield {
        at: call.callee,
        about: call,
        severity: isNear ? 'error' : 'warning',
        message: `raises RuntimeError: ${asWritten} cannot go through the reentrant checkpoint on line ${line}, only a plain backward() can`,
        fixes: switchToNonReentrant(
          context.module,
          behind.map(({ site }) => site),
          isNear,
        ),
      };
    }
  },
};

interface PartialGradient {
  readonly call: Call;
  /** What is differentiated. */
  readonly values: readonly Expression[];
  readonly asWritten: string;
}

/** Calls that ask autograd for some gradients only. */
function partialGradients({ calls }: LintContext): PartialGradient[] {
  const grads = calls.to('torch.autograd.grad').map(({ call, given }) => ({
    call,
    values: argument(given, 'outputs'),
    asWritten: 'torch.autograd.grad',
  }));
  const functions = calls
    .to('torch.autograd.backward')
    .flatMap(({ call, given }) =>
      hasInputs(given) ? [{ call, values: argument(given, 'tensors'), asWritten: 'backward(inputs=…)' }] : [],
    );
  const methods = calls.named('backward').flatMap((call) => {
    const { callee } = call;
    if (callee.kind !== 'attribute' || !hasInputs(givenArguments([], call.arguments))) return [];
    return [{ call, values: [callee.object], asWritten: 'backward(inputs=…)' }];
  });
  return [...grads, ...functions, ...methods];
}

const argument = (given: GivenArguments, name: string): Expression[] => {
  const found = keywordNamed(given, name) ?? given.positional[0];
  return found === undefined ? [] : [found.value];
};

function hasInputs(given: GivenArguments): boolean {
  const inputs = keywordNamed(given, 'inputs');
  return inputs !== undefined && !(inputs.value.kind === 'constant' && inputs.value.value === null);
}
