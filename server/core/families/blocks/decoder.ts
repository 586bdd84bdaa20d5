import type { ModelShape } from '../../budget/account.ts';
import { cast } from '../../graph/elementwise.ts';
import { cutCrossEntropy, linearLossInChunks } from '../../graph/fusedLosses.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { crossEntropy } from '../../graph/losses.ts';
import { embedding, linearWith, parameter } from '../../graph/products.ts';
import { nextTokenLoss } from '../../graph/reductions.ts';
import { view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { ModelBuilder } from '../modelBuilder.ts';

/** A language model of decoder layers, between its embeddings and its head. */
export interface Decoder {
  /** What becomes of the embedded tokens before the first layer. */
  readonly embedded?: (graph: GraphBuilder, words: Tensor, ids: Tensor) => Tensor;
  readonly layer: (graph: GraphBuilder, input: Tensor, index: number) => Tensor;
  /** What sort of layer stands at `index`, where not all of them are alike. */
  readonly kind?: (index: number) => string;
  /** What becomes of the last hidden states before the head. */
  readonly finalNorm: (graph: GraphBuilder, input: Tensor) => Tensor;
  /** Where embeddings and head are not as wide as the hidden states. */
  readonly embeddingWidth?: number;
  /** The head has a bias. */
  readonly headBias?: boolean;
  /** What becomes of the logits before the loss. */
  readonly logits?: (graph: GraphBuilder, logits: Tensor) => Tensor;
  /** Of logits, against the labels `[batch · sequence]` that the training loop hands in; by default transformers' own loss. */
  readonly loss?: (graph: GraphBuilder, logits: Tensor, labels: Tensor) => Tensor;
  /** Names of the embeddings and of the layers in the model's own code; `model.embed_tokens` and `model.layers` by default. */
  readonly names?: { readonly embeddings: string; readonly layers: string };
}

/** Runs it and its next-token loss. The head is the embeddings' own matrix where the model ties them. */
export function runDecoder(builder: ModelBuilder, model: ModelShape, decoder: Decoder): void {
  const { run } = builder;
  const names = decoder.names ?? { embeddings: 'model.embed_tokens', layers: 'model.layers' };
  const ids = builder.input([run.batch, run.sequence]);
  const width = decoder.embeddingWidth ?? model.hidden;
  const words = builder.weight(model.vocabulary, width);
  const embedded = builder.outside(names.embeddings, ids, (graph) => {
    const found = embedding(graph, ids, words);
    return decoder.embedded ? decoder.embedded(graph, found, ids) : found;
  });
  const hidden = builder.layers({
    name: names.layers,
    count: model.layers,
    input: embedded,
    layer: decoder.layer,
    ...(decoder.kind && { kind: decoder.kind }),
  });
  builder.outside('lm_head', hidden, (graph, input) => {
    const normed = decoder.finalNorm(graph, input);
    const head = model.tiedEmbeddings ? words : parameter(graph, model.vocabulary, width);
    const bias = decoder.headBias ? [parameter(graph, model.vocabulary)] : [];
    if (run.fused?.loss) {
      const flat = view(graph, normed, [-1, width]);
      const labels = newTensor([size(flat, 0)], 'int64');
      const fused = run.fused.loss === 'fused' ? cutCrossEntropy : linearLossInChunks;
      return fused(graph, flat, labels, head, ...bias);
    }
    const logits = linearWith(graph, normed, head, ...bias);
    const last = decoder.logits ? decoder.logits(graph, logits) : logits;
    return decoder.loss
      ? decoder.loss(graph, last, builder.input([run.batch * run.sequence]))
      : nextTokenLoss(graph, last, ids);
  });
}

/** `cross_entropy(logits.float(), labels)`, as training loops without transformers write it. */
export function plainLoss(graph: GraphBuilder, logits: Tensor, labels: Tensor): Tensor {
  return crossEntropy(graph, view(graph, cast(graph, logits, 'fp32'), [-1, size(logits, -1)]), labels);
}
