import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { mentions } from '../../python/mentions.ts';
import { hasDefaultOverload, type Packet, packetOf, packetsIn } from '../operationPackets.ts';
import { operationTests, policiesOf, selectiveContexts } from '../selectivePolicies.ts';

export const rule: Rule = {
  code: 'AC402',
  name: 'op-packet-in-policy',
  severity: 'error',
  summary: '`torch.ops.aten.mm` without its overload in a selective checkpointing policy',
  *check(context): Generator<Finding> {
    const { names } = context;
    if (!mentions(context.module, '.ops')) return;
    const reported = new Set<number>();
    for (const { policy } of selectiveContexts(context)) {
      yield* report(
        packetsIn(policy, names),
        (name) => `raises ValueError: Expected op in \`op_list\` to be an OpOverload but got: ${name}`,
      );
    }
    for (const policy of policiesOf(context)) {
      for (const { operator, against } of operationTests(policy, context)) {
        const packets = operator.includes('in') ? packetsIn(against, names) : [packetOf(against, names)];
        yield* report(
          packets,
          (name) =>
            `a policy is asked about overloads such as ${name}.default, which ${name} never equals: this entry matches nothing`,
        );
      }
    }

    function* report(packets: readonly (Packet | undefined)[], message: (name: string) => string): Generator<Finding> {
      for (const packet of packets) {
        if (packet === undefined || reported.has(packet.expression.start)) continue;
        const { expression, name } = packet;
        reported.add(expression.start);
        yield { at: expression, about: expression, message: message(name), fixes: addDefault(packet, context) };
      }
    }
  },
};

function addDefault(packet: Packet, { module }: LintContext): Fix[] {
  if (!hasDefaultOverload(packet)) return [];
  const { start, end } = packet.expression;
  const title = `Change to ${module.text.slice(start, end)}.default`;
  return [{ title, preferred: true, edits: [{ span: { start: end, end }, text: '.default' }] }];
}
