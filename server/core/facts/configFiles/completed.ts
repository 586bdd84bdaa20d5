import type { Fact, RunFacts, RunSettings } from '../facts.ts';
import { withHead } from '../modelHead.ts';
import { faultOf } from '../modelReading.ts';
import { derived, type SaidRun, type SaidSettings } from './said.ts';

/** Sequences longer than this are seldom meant where nothing is said. */
const longestAssumed = 1024;

/** What is said as facts of a run; what nothing says is its library's default, or assumed. */
export function completed({ model: said, head, settings, processes, defaults, notes }: SaidRun): RunFacts {
  const fault = said?.model && faultOf(said.model);
  const sized = fault === undefined ? said?.model : undefined;
  const { model, note } = sized === undefined || head === undefined ? { model: sized } : withHead(sized, head);
  const given = { ...defaults, ...settings };
  const sequence = Math.min(model?.maximumSequence.value || longestAssumed, longestAssumed);
  const run: RunSettings = {
    batch: assumed(1, 'no batch size was found'),
    sequence: assumed(sequence, 'no sequence length was found'),
    dataType: assumed('fp32', 'no data type was found'),
    autocast: { value: false, origin: { kind: 'derived', from: 'no mixed precision was found' } },
    attention: { value: 'sdpa', origin: { kind: 'default', library: 'transformers', what: 'attn_implementation' } },
    dropout: said?.dropout ?? assumed(0, 'no dropout was found'),
    checkpointing: {
      value: { mode: 'none', segment: 1 },
      origin: { kind: 'derived', from: 'nothing switches it on' },
    },
    ...dataParallelOf(processes, given),
    ...given,
  };
  return {
    model,
    ...(model === undefined && said !== undefined && { namedModel: said.name }),
    run,
    notes: [
      ...new Set([
        ...(said?.notes ?? []),
        ...(fault === undefined ? [] : [`${said?.name.value}: ${fault}`]),
        ...(note === undefined ? [] : [note]),
        ...notes,
      ]),
    ],
  };
}

/** Processes that do not hold pieces of one model share the data. */
function dataParallelOf(processes: Fact<number> | undefined, settings: SaidSettings): SaidSettings {
  const { tensorParallel, contextParallel, pipelineParallel } = settings;
  const pieces = [tensorParallel, contextParallel, pipelineParallel].reduce((all, one) => all * (one?.value ?? 1), 1);
  if (processes === undefined || processes.value % pieces !== 0) return {};
  if (pieces === 1) return { dataParallel: processes };
  return {
    dataParallel: derived(processes.value / pieces, `${processes.value} processes / ${pieces}`, processes.origin),
  };
}

const assumed = <T>(value: T, why: string): Fact<T> => ({ value, origin: { kind: 'assumed', why } });
