import { inPlace } from './activations.ts';
import { underAutocast } from './autocast.ts';
import { multiply, tanh } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import { linearWith, parameter } from './products.ts';
import { record } from './record.ts';
import { split } from './shapes.ts';
import { newTensor, size, type Tensor } from './tensor.ts';

export interface LstmState {
  readonly hidden: Tensor;
  readonly cell: Tensor;
}

/** One step of `torch.nn.LSTMCell` on CUDA, where one kernel computes the gates. `input` is `[batch, inputs]`. */
export function lstmCell(graph: GraphBuilder, input: Tensor, state: LstmState, weights: CellWeights): LstmState {
  const fromInput = linearWith(graph, input, weights.input);
  const fromHidden = linearWith(graph, state.hidden, weights.hidden);
  return fusedLstmStep(graph, fromInput, fromHidden, state.cell, weights.biases);
}

/** The kernel alone: the four gates as the input and the hidden state make them. */
export function fusedLstmStep(
  graph: GraphBuilder,
  fromInput: Tensor,
  fromHidden: Tensor,
  before: Tensor,
  biases: readonly Tensor[] = [],
): LstmState {
  const operands = underAutocast(graph, 'lstmCell', [fromInput, fromHidden, before, ...biases]);
  const [gates = fromInput, , last = before] = operands;
  const like = (): Tensor => newTensor(last.shape, last.elementType);
  const outputs = [like(), like(), newTensor(gates.shape, gates.elementType)];
  const [hidden = last, cell = last] = graph.add('lstmCell', operands, outputs);
  return { hidden, cell };
}

/** The same where no kernel does it (off CUDA): each gate on its own, over one storage of all four. */
export function composedLstmCell(
  graph: GraphBuilder,
  input: Tensor,
  state: LstmState,
  weights: CellWeights,
): LstmState {
  const [inputBias, hiddenBias] = weights.biases;
  const gates = inPlace.add(
    graph,
    linearWith(graph, state.hidden, weights.hidden, hiddenBias),
    linearWith(graph, input, weights.input, inputBias),
  );
  const [admit = gates, forget = gates, candidate = gates, out = gates] = split(graph, gates, 4);
  const kept = multiply(graph, inPlace.sigmoid(graph, forget), state.cell);
  const added = multiply(graph, inPlace.sigmoid(graph, admit), inPlace.tanh(graph, candidate));
  const cell = inPlace.add(graph, kept, added);
  return { hidden: multiply(graph, inPlace.sigmoid(graph, out), tanh(graph, cell)), cell };
}

/** One step of `torch.nn.GRUCell` on CUDA. `input` is `[batch, inputs]`. */
export function gruCell(graph: GraphBuilder, input: Tensor, hidden: Tensor, weights: CellWeights): Tensor {
  const fromInput = linearWith(graph, input, weights.input);
  const fromHidden = linearWith(graph, hidden, weights.hidden);
  return fusedGruStep(graph, fromInput, fromHidden, hidden, weights.biases);
}

/** The kernel alone: the three gates as the input and the hidden state make them. */
export function fusedGruStep(
  graph: GraphBuilder,
  fromInput: Tensor,
  fromHidden: Tensor,
  hidden: Tensor,
  biases: readonly Tensor[] = [],
): Tensor {
  const operands = underAutocast(graph, 'gruCell', [fromInput, fromHidden, hidden, ...biases]);
  const [, , last = hidden] = operands;
  const workspace = newTensor([size(last, 0), 5 * size(last, 1)], last.elementType);
  return record(graph, 'gruCell', operands, newTensor(last.shape, last.elementType), workspace);
}

/**
 * `torch.nn.LSTM` or `GRU` on CUDA, where cuDNN runs all layers and steps. `input` is `[steps, batch, inputs]`; `states` are
 * the first hidden (and cell) states. cuDNN alone knows how many bytes it reserves for backward: the gates of every step
 * and layer at least.
 */
export function recurrentLayers(
  graph: GraphBuilder,
  input: Tensor,
  states: readonly Tensor[],
  weights: readonly CellWeights[],
  reserveBytes: number,
): Tensor {
  const [first = input] = states;
  const flat = weights.flatMap((each) => [each.input, each.hidden, ...each.biases]);
  const output = newTensor(input.shape.with(-1, size(first, -1)), input.elementType);
  const last = states.map((state) => newTensor(state.shape, state.elementType));
  const reserve = newTensor([reserveBytes], 'bool');
  return graph.add('recurrentLayers', [input, ...states, ...flat], [output, ...last, reserve])[0] ?? output;
}

/** The weights all steps of one layer share. */
export interface CellWeights {
  readonly input: Tensor;
  readonly hidden: Tensor;
  readonly biases: readonly Tensor[];
}

/** `gates` is 4 for an LSTM and 3 for a GRU. */
export function cellWeights(graph: GraphBuilder, inputs: number, hidden: number, gates: 3 | 4): CellWeights {
  return {
    input: parameter(graph, gates * hidden, inputs),
    hidden: parameter(graph, gates * hidden, hidden),
    biases: [parameter(graph, gates * hidden), parameter(graph, gates * hidden)],
  };
}
