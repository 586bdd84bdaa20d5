import type { Budget, ModelShape, RunShape } from '../../server/core/budget/account.ts';
import { paperAccount } from '../../server/core/budget/paper.ts';
import type { Device } from '../../server/core/devices/device.ts';
import type { Fact, ModelFacts, RunFacts } from '../../server/core/facts/facts.ts';
import { assess } from '../../server/core/total/assess.ts';
import type { Computations } from '../../webview/derive.ts';
import { formatBytes } from '../../webview/format.ts';
import type { FileFacts } from '../../webview/protocol.ts';
import { type PanelState, withSnapshot } from '../../webview/store.ts';

export const uri = 'file:///project/train.py';

export const written = <T>(value: T, line: number, path = uri): Fact<T> => ({
  value,
  origin: { kind: 'literal', place: { path, span: { start: 0, end: 1 }, line, column: 1 } },
});

const assumed = <T>(value: T): Fact<T> => ({ value, origin: { kind: 'assumed', why: 'nothing says it' } });

export const model: ModelFacts = {
  name: written('GPT2Config', 3),
  family: written('gpt2', 3),
  layers: written(12, 4),
  hidden: written(768, 5),
  heads: written(12, 6),
  keyValueHeads: assumed(12),
  headDimension: assumed(64),
  feedForward: assumed(3072),
  vocabulary: assumed(50_257),
  maximumSequence: assumed(1024),
  activation: assumed('gelu_new'),
  tiedEmbeddings: assumed(true),
  bias: assumed(true),
};

export const facts: RunFacts = {
  model,
  run: {
    batch: written(8, 9),
    sequence: assumed(1024),
    dataType: written('bf16', 10),
    autocast: assumed(true),
    attention: assumed('sdpa'),
    dropout: assumed(0.1),
    checkpointing: assumed({ mode: 'none', segment: 1 }),
  },
  notes: [],
};

export const shown: FileFacts = { uri, name: 'train.py', facts, stale: false, runs: [], chosenRun: undefined };

export const withShown = (state: PanelState, document: FileFacts): PanelState =>
  withSnapshot(state, { shown: document, awaited: undefined, server: 'running', device: state.device });

export const onDevice = (state: PanelState, device: Device): PanelState =>
  withSnapshot(state, { shown: state.shown, awaited: undefined, server: 'running', device });

/** The panel's computations with the estimate of activations given; the rest is the core's own, advice left out. */
export const computing = (estimate: Computations['estimate'] = roundBudget): Computations => ({
  estimate,
  assess: (training, units) => assess(training, (bytes) => formatBytes(bytes, units)),
  advise: () => ({ advice: undefined, isPending: false }),
});

/** An account with round numbers: none 1200 B for each sequence of the batch; full 100·(1 + k) B, so k = 1 is best. */
export function roundBudget(model: ModelShape, run: RunShape, segment: number): Budget {
  const none = 1200 * run.batch;
  const full = (k: number) => 100 * run.batch * (1 + k);
  const row = (name: 'none' | 'full' | 'selective', peakBytes: number, extraForward: number) => ({
    name,
    segment,
    afterForwardBytes: peakBytes / 2,
    label: name,
    peakBytes,
    peakPhase: 'segment' as const,
    saving: 1 - peakBytes / none,
    extraForward,
    extraStep: extraForward / 3,
  });
  return {
    paper: paperAccount(model, run, segment),
    pytorch: {
      layerBytes: 100 * run.batch,
      layersBytes: [],
      layerParts: [{ key: 'mlp', label: 'MLP', bytes: 100 * run.batch }],
      outsideBytes: 0,
      fusesAttention: false,
      savedBytes: none,
      boundaryBytes: 2 * run.batch,
      parameters: 124_000_000,
      strategies: [row('none', none, 0), row('full', full(segment), 1), row('selective', none * 0.9, 0.1)],
      peaksBySegment: Array.from({ length: model.layers }, (_, index) => full(index + 1)),
      bestSegment: 1,
    },
    notes: [],
  };
}

/** With ordinary spaces, so that expectations can be read. */
export const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');
