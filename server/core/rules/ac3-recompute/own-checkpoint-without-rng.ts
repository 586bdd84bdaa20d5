import type { Finding, Rule } from '../../lint/rule.ts';
import type { Call, FunctionDefinition } from '../../python/ast.ts';
import type { Names } from '../../python/names.ts';
import { statementsOf } from '../../python/walk.ts';
import { callsIn } from '../../sites/region.ts';
import { contains } from '../../text/span.ts';
import { autogradFunctions } from '../autogradFunctions.ts';

export const rule: Rule = {
  code: 'AC310',
  name: 'own-checkpoint-without-rng',
  severity: 'warning',
  summary: 'a home-made checkpoint reruns its function in backward without restoring the random state',
  *check({ module, names }): Generator<Finding> {
    for (const { definition, forward, backward } of autogradFunctions(module, names)) {
      if (forward === undefined || backward === undefined) continue;
      // Whatever handles randomness somewhere in the class is believed.
      if (/rng|seed|random/i.test(module.text.slice(definition.start, definition.end))) continue;
      const call = rerun(forward, backward, names);
      if (call === undefined) continue;
      yield {
        at: call.callee,
        about: call,
        message: `${module.text.slice(call.callee.start, call.callee.end)} runs again in backward without the random state of forward: with dropout in it the gradients are silently wrong`,
        fixes: [],
      };
    }
  },
};

/** A call, under `enable_grad` in backward, of what forward was given to run and kept on `ctx`. */
function rerun(forward: FunctionDefinition, backward: FunctionDefinition, names: Names): Call | undefined {
  const kept = keptCallables(forward);
  const context = backward.parameters[0]?.name;
  const recording = [...statementsOf(backward.body)].filter(
    (one) =>
      one.kind === 'with' &&
      one.items.some(({ value }) => value.kind === 'call' && names.qualifiedName(value.callee) === 'torch.enable_grad'),
  );
  return callsIn(backward).find(
    (call) =>
      call.callee.kind === 'attribute' &&
      call.callee.object.kind === 'name' &&
      call.callee.object.name === context &&
      kept.has(call.callee.attribute.name) &&
      recording.some((block) => contains(block, call)),
  );
}

/** Attributes of `ctx` that hold a parameter which forward calls. */
function keptCallables(forward: FunctionDefinition): ReadonlySet<string> {
  const context = forward.parameters[0]?.name;
  const parameters = new Set(forward.parameters.slice(1).map(({ name }) => name));
  const called = new Set<string>();
  for (const { callee } of callsIn(forward)) {
    if (callee.kind === 'name' && parameters.has(callee.name)) called.add(callee.name);
    if (callee.kind === 'attribute') called.add(callee.attribute.name);
  }
  const kept = new Set<string>();
  for (const statement of statementsOf(forward.body)) {
    if (statement.kind !== 'assign' || statement.value?.kind !== 'name' || !parameters.has(statement.value.name))
      continue;
    for (const target of statement.targets) {
      if (target.kind !== 'attribute' || target.object.kind !== 'name' || target.object.name !== context) continue;
      const isCalled = called.has(statement.value.name) || called.has(target.attribute.name);
      if (isCalled) kept.add(target.attribute.name);
    }
  }
  return kept;
}
