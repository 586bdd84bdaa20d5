import type { CheckpointingReading } from './checkpointingReading.ts';
import { type CallHere, derivedAt, type Source } from './source.ts';
import { isAside } from './standing.ts';

/**
 * What keeps the inputs of regions in host memory beside the call that checkpoints: torch's `save_on_cpu` around it, or
 * DeepSpeed told to checkpoint in CPU memory.
 */
export function withOffload(source: Source, read: CheckpointingReading): CheckpointingReading {
  const here = source.calls.find((each) => offloads(source, each) && !isAside(source, each));
  if (here === undefined || read.fact.value.offloaded === true) return read;
  const { value, origin } = read.fact;
  const line = source.lineOf(here.call);
  if (value.mode === 'none')
    return isHook(here)
      ? {
          ...read,
          notes: [
            ...read.notes,
            `line ${line} keeps saved tensors in host memory, which has no account without checkpoints`,
          ],
        }
      : read;
  const isDeepSpeed = value.mechanism?.startsWith('deepspeed') === true;
  if (!isHook(here) && !isDeepSpeed) return read;
  const { mechanism, ...plan } = value;
  const from = `${origin.kind === 'derived' ? `${origin.from}, ` : ''}kept in host memory by line ${line}`;
  return {
    ...read,
    fact: {
      ...read.fact,
      value: { ...plan, offloaded: true, ...(mechanism !== undefined && { mechanism }) },
      origin: origin.kind === 'assumed' ? origin : derivedAt(source, here.call, from),
    },
  };
}

const isHook = ({ qualified }: CallHere): boolean => qualified === 'torch.autograd.graph.save_on_cpu';

function offloads(source: Source, here: CallHere): boolean {
  if (isHook(here)) return true;
  if (!/^deepspeed\.(\w+\.)*checkpointing\.configure$/.test(here.qualified ?? '')) return false;
  const given = source.givenTo(here.call).fields.get('checkpoint_in_cpu')?.value ?? here.call.arguments[5]?.value;
  return given !== undefined && source.read(given)?.value === true;
}
