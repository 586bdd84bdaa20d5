import type { RunShape } from '../budget/account.ts';
import { GraphBuilder, type Precision } from '../graph/graph.ts';
import { newTensor, type Shape, type Tensor } from '../graph/tensor.ts';

/** A model as the pieces its forward pass runs: each distinct piece once, and the order in which they run. */
export interface ModelGraph {
  readonly pieces: readonly Piece[];
  readonly units: readonly Unit[];
  /** Made once and handed to every layer: masks, rotary tables, an encoder's output. */
  readonly shared: readonly SharedTensor[];
}

export interface SharedTensor {
  readonly tensor: Tensor;
  /** Index of the first unit during which it is there. */
  readonly from: number;
}

/** A layer, or what runs before, between or after the layers. Layers that do the same are one piece. */
export interface Piece {
  readonly name: string;
  readonly graph: GraphBuilder;
  readonly input: Tensor;
  readonly output: Tensor;
}

export interface LayerStack {
  /** As the model's own code names it: `model.layers`, `decoder.block`. */
  readonly name: string;
  readonly count: number;
  readonly input: Tensor;
  /** One layer; `index` is that of the first layer of its kind. */
  readonly layer: (graph: GraphBuilder, input: Tensor, index: number) => Tensor;
  /** What sort of layer stands at `index`, where not all of the stack are alike. */
  readonly kind?: (index: number) => string;
}

/** One run of a piece in the forward pass. */
export interface Unit {
  readonly piece: Piece;
  readonly kind: 'layer' | 'outside';
}

/** More layers than this no model has: a slip of a digit in a configuration must not take all time and memory. */
export const mostLayers = 10_000;

/**
 * What a family's `forward` writes a model into. Between pieces only one tensor is handed on; anything else that several
 * pieces read must be made with `share`.
 */
export class ModelBuilder {
  readonly run: RunShape;
  readonly precision: Precision;
  readonly #pieces = new Map<string, Piece>();
  readonly #units: Unit[] = [];
  readonly #shared: SharedTensor[] = [];
  #layers = 0;
  #hasTooManyLayers = false;

  constructor(run: RunShape) {
    this.run = run;
    this.precision = {
      compute: run.dataType,
      weights: weightsTypeOf(run),
      autocast: run.autocast && run.dataType !== 'fp32',
    };
  }

  /** A batch handed in by the training loop: token ids by default. */
  input(shape: Shape, elementType: Tensor['elementType'] = 'int64'): Tensor {
    return newTensor(shape, elementType, { role: 'input' });
  }

  /** A tensor that is made once and read by several pieces. */
  share(tensor: Tensor): Tensor {
    const shared: Tensor = { ...tensor, storage: { bytes: tensor.storage.bytes, role: 'shared' } };
    this.#shared.push({ tensor: shared, from: this.#units.length });
    return shared;
  }

  /** A weight that more than one piece uses, such as an embedding tied to the head. Counted once. */
  weight(...shape: Shape): Tensor {
    return newTensor(shape, this.precision.weights, { role: 'parameter', requiresGradient: !this.#startsFrozen });
  }

  /** What runs once, outside the layers: embeddings, a pooling between stages, the head with its loss. */
  outside(name: string, input: Tensor, forward: (graph: GraphBuilder, input: Tensor) => Tensor): Tensor {
    const isFirst = this.#units.length === 0;
    const graph = this.#graph(isFirst && this.#startsFrozen);
    const piece = { name, graph, input, output: forward(graph, input) };
    this.#pieces.set(`${name} ${this.#pieces.size}`, piece);
    this.#units.push({ piece, kind: 'outside' });
    const handedOn = boundary(piece.output);
    return isFirst && this.run.inputRequiresGradient ? { ...handedOn, requiresGradient: true } : handedOn;
  }

  /** Layers after one another. Those that do the same on the same sort of tensor are one piece, written only once. */
  layers({ name, count, input, layer, kind = () => name }: LayerStack): Tensor {
    let current = input;
    this.#hasTooManyLayers ||= this.#layers + count > mostLayers;
    if (this.#hasTooManyLayers) return current;
    for (let index = 0; index < count; index++) {
      const frozen = this.#layers < (this.run.frozenLayers ?? 0);
      const key = [name, kind(index), current.shape, current.elementType, current.requiresGradient, frozen].join(' ');
      let piece = this.#pieces.get(key);
      if (piece === undefined) {
        const graph = this.#graph(frozen);
        piece = { name: kind(index), graph, input: current, output: layer(graph, current, index) };
        this.#pieces.set(key, piece);
      }
      this.#units.push({ piece, kind: 'layer' });
      this.#layers++;
      current = boundary(piece.output);
    }
    return current;
  }

  /** Undefined for a model of more layers than any has. */
  build(): ModelGraph | undefined {
    if (this.#hasTooManyLayers) return undefined;
    return { pieces: [...this.#pieces.values()], units: this.#units, shared: this.#shared };
  }

  get #startsFrozen(): boolean {
    return this.run.adapters !== undefined || (this.run.frozenLayers ?? 0) > 0;
  }

  #graph(frozen: boolean): GraphBuilder {
    return new GraphBuilder(this.precision, { frozen, adapters: this.run.adapters }, this.run.kernels);
  }
}

/** The data type of the weights that the layers see. */
export const weightsTypeOf = ({ autocast, lowPrecisionWeights, dataType }: RunShape): Precision['weights'] =>
  autocast && lowPrecisionWeights !== true ? 'fp32' : dataType;

/** What a piece receives from the piece before it. */
const boundary = (output: Tensor): Tensor => ({
  ...output,
  storage: { bytes: output.storage.bytes, role: 'boundary' },
});
