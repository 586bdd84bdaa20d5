import type { ModelShape } from '../../budget/account.ts';
import { stack } from '../../graph/arrangement.ts';
import { dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { select } from '../../graph/indexing.ts';
import { type CellWeights, cellWeights, composedLstmCell, type LstmState, lstmCell } from '../../graph/recurrent.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { ConfigClassOfFamily } from '../configClass.ts';
import type { Family } from '../family.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { flagSetting, numberSetting, textSetting } from '../settings.ts';

const recurrentConfig = (name: string, kernels: string) =>
  ({
    name,
    library: 'torch',
    modelType: undefined,
    arguments: { layers: 'num_layers', hidden: 'hidden_size', bias: 'bias' },
    aliases: {},
    defaults: { num_layers: 1, bias: true, dropout: 0 },
    // There is neither attention nor a vocabulary, and no sequence is too long.
    fixed: { heads: 1, vocabulary: 1, maximumSequence: 1_048_576, activation: 'gelu' },
    dropout: ['dropout'],
    settings: { input_size: null, kernels, bidirectional: false, proj_size: 0 },
  }) as const satisfies ConfigClassOfFamily;

/**
 * LSTMs over `[sequence, batch, inputs]`, by `kernels`: `cell` is a loop over steps that calls `nn.LSTMCell` for each layer,
 * on CUDA, and `composed-cell` the same where no kernel does a whole cell; `composed` is `nn.LSTM` there, layer by layer.
 * `cudnn`, which is `nn.LSTM` on CUDA, has no account: how many bytes cuDNN reserves for backward, it alone knows.
 */
export const family: Family = {
  name: 'lstm',
  label: 'LSTM',
  undivided: true,
  configs: [recurrentConfig('LSTM', 'cudnn'), recurrentConfig('LSTMCell', 'cell')],

  forward(builder, model) {
    const steps = stepsOf(builder, model);
    if (textSetting(model, 'kernels', 'cudnn') === 'composed') layerByLayer(builder, model, steps);
    else stepByStep(builder, model, steps);
  },

  problem(model, run) {
    const kernels = textSetting(model, 'kernels', 'cudnn');
    if (kernels === 'cudnn') return 'nn.LSTM has no account on CUDA: how much cuDNN reserves for backward is not known';
    if (!['cell', 'composed-cell', 'composed'].includes(kernels)) return `no account for LSTM kernels ${kernels}`;
    if (flagSetting(model, 'bidirectional', false)) return 'no account for bidirectional LSTMs';
    if (numberSetting(model, 'proj_size', 0) > 0) return 'no account for LSTMs with projections (proj_size)';
    if (!model.bias) return 'no account for LSTMs without biases';
    if (run.frozenLayers || run.adapters) return 'no account for LSTMs with frozen weights';
    const cells = run.sequence * model.layers;
    return cells > mostCells ? `a loop of ${cells} cells is longer than the budget covers (${mostCells})` : undefined;
  },
};

/** Every step of every layer is written out. */
const mostCells = 8192;

/** What the caller hands in, `[sequence, batch, inputs]`; it is counted with the layer that keeps it. */
function stepsOf(builder: ModelBuilder, model: ModelShape): Tensor {
  const { run } = builder;
  const shape = [run.sequence, run.batch, numberSetting(model, 'input_size', model.hidden)];
  const steps = newTensor(shape, builder.precision.weights, { role: 'input', requiresGradient: true });
  return builder.outside('input', steps, (_, input) => input);
}

/** `nn.LSTM`: the first states of all layers are made at once, and the steps of a layer are put together for the next. */
function layerByLayer(builder: ModelBuilder, model: ModelShape, steps: Tensor): void {
  const { run, precision } = builder;
  const zeros = (): Tensor => builder.share(newTensor([model.layers, run.batch, model.hidden], precision.weights));
  const first = { hidden: zeros(), cell: zeros() };
  builder.layers({
    name: 'layers',
    count: model.layers,
    input: steps,
    kind: (index) => (index < model.layers - 1 && run.dropout > 0 ? 'layer with dropout' : 'layer'),
    layer: (graph, input, index) =>
      graph.within('recurrent', () => {
        const weights = cellWeights(graph, size(input, 2), model.hidden, 4);
        const state = { hidden: select(graph, first.hidden, 0), cell: select(graph, first.cell, 0) };
        const hidden = stack(graph, unrolled(graph, run.sequence, input, weights, state));
        return index < model.layers - 1 ? dropout(graph, hidden, run.dropout) : hidden;
      }),
  });
}

function unrolled(
  graph: GraphBuilder,
  steps: number,
  input: Tensor,
  weights: CellWeights,
  first: LstmState,
): readonly Tensor[] {
  const outputs: Tensor[] = [];
  let state = first;
  for (let step = 0; step < steps; step++) {
    state = composedLstmCell(graph, select(graph, input, 0), state, weights);
    outputs.push(state.hidden);
  }
  return outputs;
}

/** A loop over the steps with all layers inside: no layer of it can be run again by itself, so that it is one piece. */
function stepByStep(builder: ModelBuilder, model: ModelShape, steps: Tensor): void {
  const { run } = builder;
  const cell = textSetting(model, 'kernels', 'cell') === 'cell' ? lstmCell : composedLstmCell;
  builder.layers({
    name: 'cells',
    count: 1,
    input: steps,
    layer: (graph, input) =>
      graph.within('recurrent', () => {
        const weights = Array.from({ length: model.layers }, (_, index) =>
          cellWeights(graph, index === 0 ? size(input, 2) : model.hidden, model.hidden, 4),
        );
        const states: LstmState[] = [];
        let last = input;
        for (let step = 0; step < run.sequence; step++) {
          last = select(graph, input, 0);
          for (const [index, each] of weights.entries()) {
            const state = cell(graph, last, states[index] ?? firstState(last, model.hidden), each);
            states[index] = state;
            last = state.hidden;
          }
        }
        return last;
      }),
  });
}

/** Zeros in the type of what the cell is first given, for both. */
function firstState(input: Tensor, width: number): LstmState {
  const zeros = newTensor([size(input, 0), width], input.elementType);
  return { hidden: zeros, cell: zeros };
}
