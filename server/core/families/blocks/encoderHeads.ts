import type { ModelShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { select } from '../../graph/indexing.ts';
import { crossEntropy, squaredError } from '../../graph/losses.ts';
import { linear, linearWith, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { contiguous, slice, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { numberSetting, textSetting } from '../settings.ts';

/**
 * What an encoder is trained for, `head` in its settings: `masked-language` (the default: what the published checkpoints
 * were trained with), `sequence-classification`, `token-classification`, `question-answering`, or `none`.
 */
export const encoderHeadSettings = { head: 'masked-language', num_labels: 2 } as const;

export interface EncoderHeads {
  /** The embedding matrix, which the masked-language head takes for its own where the model ties them. */
  readonly words: Tensor;
  /** Token ids, which are the labels of the masked-language head. */
  readonly ids: Tensor;
  /** The activation function of the masked-language head. */
  readonly activation: (graph: GraphBuilder, input: Tensor) => Tensor;
  /** What the classifier of whole sequences sees, `[batch, hidden]`. */
  readonly classified: (graph: GraphBuilder, hidden: Tensor) => Tensor;
  /** The bare model's pooler, which runs whether or not anything is made of its result. */
  readonly pooler?: (graph: GraphBuilder, hidden: Tensor) => Tensor;
  /** Probability ahead of the classifier of tokens. */
  readonly tokenDropout: number;
  /** Probability ahead of the question-answering head. */
  readonly answerDropout: number;
}

/** Head and loss over the last hidden states. Sequence labels are classes, or numbers where there is one label. */
export function encoderHead(builder: ModelBuilder, model: ModelShape, hidden: Tensor, heads: EncoderHeads): void {
  const { run } = builder;
  const labels = numberSetting(model, 'num_labels', encoderHeadSettings.num_labels);
  const head = textSetting(model, 'head', encoderHeadSettings.head);
  if (head === 'none') {
    if (heads.pooler) builder.outside('pooler', hidden, heads.pooler);
    return;
  }
  const classes = builder.input(head === 'token-classification' ? [run.batch, run.sequence] : [run.batch]);
  builder.outside(head, hidden, (graph, input) => {
    if (head === 'sequence-classification') {
      return sequenceLoss(graph, linear(graph, heads.classified(graph, input), labels, true, 'classifier'), classes);
    }
    if (head === 'token-classification') {
      const logits = linear(graph, dropout(graph, input, heads.tokenDropout), labels, true, 'classifier');
      return crossEntropy(graph, view(graph, logits, [-1, labels]), view(graph, classes, [-1]));
    }
    if (head === 'question-answering') return spanLoss(graph, input, heads.answerDropout);
    return maskedLanguageLoss(graph, model, input, heads);
  });
}

/** Why an encoder cannot be counted, if it cannot. */
export function encoderProblem(model: ModelShape): string | undefined {
  if (model.heads * model.headDimension !== model.hidden) {
    return `${model.hidden} hidden units do not divide into ${model.heads} heads`;
  }
  const head = textSetting(model, 'head', encoderHeadSettings.head);
  return headNames.includes(head)
    ? undefined
    : `no account for the head ${head} (there is one for ${headNames.join(', ')})`;
}

const headNames: readonly string[] = [
  'masked-language',
  'sequence-classification',
  'token-classification',
  'question-answering',
  'none',
];

/** The first token's hidden state, `[batch, hidden]`: a view that keeps all of them. */
export const firstToken = (graph: GraphBuilder, hidden: Tensor): Tensor => select(graph, hidden, 1);

function maskedLanguageLoss(graph: GraphBuilder, model: ModelShape, input: Tensor, heads: EncoderHeads): Tensor {
  const { words, ids, activation } = heads;
  const transformed = layerNorm(graph, activation(graph, linear(graph, input, model.hidden, true, 'dense')), true);
  const weight = model.tiedEmbeddings ? words : parameter(graph, model.vocabulary, model.hidden);
  const logits = linearWith(graph, transformed, weight, parameter(graph, model.vocabulary));
  return crossEntropy(graph, view(graph, logits, [-1, model.vocabulary]), view(graph, ids, [-1]));
}

/** Cross-entropy of `[batch, classes]`; where there is one class, the squared error of a number. */
export function sequenceLoss(graph: GraphBuilder, logits: Tensor, classes: Tensor): Tensor {
  if (size(logits, 1) > 1) return crossEntropy(graph, logits, classes);
  const targets = newTensor([size(logits, 0)], logits.elementType, { role: 'input' });
  return squaredError(graph, view(graph, logits, [-1]), targets);
}

/** Start and end of the answer, each a class among the places of the sequence. */
function spanLoss(graph: GraphBuilder, input: Tensor, probability: number): Tensor {
  const logits = linear(graph, dropout(graph, input, probability), 2, true, 'qa_outputs');
  const part = (): Tensor => {
    const places = contiguous(graph, select(graph, slice(graph, logits, -1, 1), 2));
    return crossEntropy(graph, places, newTensor([size(input, 0)], 'int64'));
  };
  return add(graph, part(), part());
}
