import type { ModelShape, RunShape } from '../budget/account.ts';
import { GraphBuilder, type Precision } from '../graph/graph.ts';
import { nextTokenLoss } from '../graph/reductions.ts';
import { newTensor, type Tensor } from '../graph/tensor.ts';
import { familyTemplates } from './templates.ts';

/** The three graphs a model is made of. All layers but the first are alike, so one stands for them. */
export interface ModelPieces {
  readonly embed: Piece;
  readonly layer: Piece;
  /** Final norm, head and loss. */
  readonly head: Piece;
  readonly shared: readonly Tensor[];
}

export interface Piece {
  readonly graph: GraphBuilder;
  readonly input: Tensor;
  readonly output: Tensor;
}

export function modelPieces(model: ModelShape, run: RunShape): ModelPieces {
  const template = familyTemplates[model.family];
  const precision: Precision = {
    compute: run.dataType,
    weights: run.autocast ? 'fp32' : run.dataType,
    autocast: run.autocast && run.dataType !== 'fp32',
  };
  const ids = newTensor([run.batch, run.sequence], 'int64', { role: 'input' });

  const embedGraph = new GraphBuilder(precision);
  const shared = template.shared(embedGraph, model, run);
  const embedded = template.embed(embedGraph, model, run, ids);

  const layerGraph = new GraphBuilder(precision);
  const layerInput = boundary(embedded);
  const layerOutput = template.layer(layerGraph, model, run, layerInput, shared);

  const headGraph = new GraphBuilder(precision);
  const headInput = boundary(layerOutput);
  const loss = nextTokenLoss(headGraph, template.head(headGraph, model, run, headInput), ids);

  return {
    embed: { graph: embedGraph, input: ids, output: embedded },
    layer: { graph: layerGraph, input: layerInput, output: layerOutput },
    head: { graph: headGraph, input: headInput, output: loss },
    shared,
  };
}

/** What a piece receives from the piece before it. */
const boundary = (output: Tensor): Tensor =>
  newTensor(output.shape, output.elementType, { role: 'boundary', requiresGradient: true });
