import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
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
    for (const { call, value, inputs, asWritten } of partialGradients(context)) {
      const behind = reentrantSitesBehind(value, context, [inputs]);
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
  /** What is differentiated, and by what. */
  readonly value: Expression;
  readonly inputs: Expression;
  readonly asWritten: string;
}

/** Calls that ask autograd for some gradients only. */
function partialGradients({ calls }: LintContext): PartialGradient[] {
  const grads = calls.to('torch.autograd.grad').flatMap(({ call, given }) => {
    const value = keywordNamed(given, 'outputs') ?? given.positional[0];
    const inputs = keywordNamed(given, 'inputs') ?? given.positional[1];
    return partial(call, value?.value, inputs?.value, 'torch.autograd.grad');
  });
  const functions = calls.to('torch.autograd.backward').flatMap(({ call, given }) => {
    const value = keywordNamed(given, 'tensors') ?? given.positional[0];
    return partial(call, value?.value, keywordNamed(given, 'inputs')?.value, 'backward(inputs=…)');
  });
  const methods = calls.named('backward').flatMap((call) => {
    const value = call.callee.kind === 'attribute' ? call.callee.object : undefined;
    const inputs = keywordNamed(givenArguments([], call.arguments), 'inputs');
    return partial(call, value, inputs?.value, 'backward(inputs=…)');
  });
  return [...grads, ...functions, ...methods];
}

const partial = (
  call: Call,
  value: Expression | undefined,
  inputs: Expression | undefined,
  asWritten: string,
): PartialGradient[] => (value === undefined || inputs === undefined ? [] : [{ call, value, inputs, asWritten }]);
