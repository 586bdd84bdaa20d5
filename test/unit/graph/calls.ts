import * as activations from '../../../server/core/graph/activations.ts';
import * as arrangement from '../../../server/core/graph/arrangement.ts';
import * as convolutions from '../../../server/core/graph/convolutions.ts';
import * as elementwise from '../../../server/core/graph/elementwise.ts';
import * as experts from '../../../server/core/graph/experts.ts';
import * as fusedLosses from '../../../server/core/graph/fusedLosses.ts';
import type { GraphBuilder } from '../../../server/core/graph/graph.ts';
import * as indexing from '../../../server/core/graph/indexing.ts';
import * as losses from '../../../server/core/graph/losses.ts';
import * as norms from '../../../server/core/graph/norms.ts';
import * as pooling from '../../../server/core/graph/pooling.ts';
import * as products from '../../../server/core/graph/products.ts';
import * as randomness from '../../../server/core/graph/randomness.ts';
import * as recurrent from '../../../server/core/graph/recurrent.ts';
import * as reductions from '../../../server/core/graph/reductions.ts';
import * as shapes from '../../../server/core/graph/shapes.ts';
import { size, type Tensor } from '../../../server/core/graph/tensor.ts';

type Call = (graph: GraphBuilder, ...inputs: Tensor[]) => Tensor | readonly Tensor[];

/** What each case measured on torch (`test/torch/operations`) is in the words of our graphs. */
export const calls: Readonly<Record<string, Call>> = {
  add: elementwise.add,
  'add, broadcast': elementwise.add,
  'add in place': activations.inPlace.add,
  addScalar: elementwise.addScalar,
  subtract: elementwise.subtract,
  multiply: elementwise.multiply,
  'multiply, broadcast': elementwise.multiply,
  'multiply, of two types': elementwise.multiply,
  'add, of two types': elementwise.add,
  'add, of two orders': (graph, a, b) => elementwise.add(graph, a, shapes.transpose(graph, b, 1, 2)),
  'gelu, transposed': (graph, input) => elementwise.gelu(graph, shapes.transpose(graph, input, 1, 2)),
  scale: elementwise.scale,
  divide: elementwise.divide,
  'divide, broadcast': elementwise.divide,
  negate: elementwise.negate,
  addProduct: elementwise.addProduct,
  power: elementwise.power,
  powerOf: elementwise.powerOf,
  rsqrt: elementwise.rsqrt,
  squareRoot: elementwise.squareRoot,
  reciprocal: elementwise.reciprocal,
  exponential: elementwise.exponential,
  logarithm: elementwise.logarithm,
  logarithmOfOnePlus: elementwise.logarithmOfOnePlus,
  absolute: elementwise.absolute,
  sine: elementwise.sine,
  cosine: elementwise.cosine,
  errorFunction: elementwise.errorFunction,
  clamp: elementwise.clamp,
  clampBetween: elementwise.clampBetween,
  maximum: elementwise.maximum,
  minimum: elementwise.minimum,
  where: elementwise.where,
  maskedFill: elementwise.maskedFill,
  lowerTriangle: elementwise.lowerTriangle,
  cumulativeProduct: reductions.cumulativeProduct,
  compare: indexing.compare,
  floorDivide: indexing.floorDivide,
  'cast up': (graph, input) => elementwise.cast(graph, input, 'fp32'),
  'cast down': (graph, input) => elementwise.cast(graph, input, 'bf16'),
  dropout: (graph, input) => elementwise.dropout(graph, input, 0.1),
  'dropout in place': randomness.dropoutInPlace,
  noiseDropout: randomness.noiseDropout,
  dropPath: randomness.dropPath,
  tanh: elementwise.tanh,
  sigmoid: activations.sigmoid,
  relu: elementwise.relu,
  'relu in place': activations.inPlace.relu,
  relu6: activations.relu6,
  'relu6 in place': activations.inPlace.relu6,
  leakyRelu: activations.leakyRelu,
  'leakyRelu in place': activations.inPlace.leakyRelu,
  elu: activations.elu,
  'elu in place': activations.inPlace.elu,
  gelu: elementwise.gelu,
  'gelu, tanh': elementwise.gelu,
  quickGelu: activations.quickGelu,
  softCap: activations.softCap,
  silu: elementwise.silu,
  'silu in place': activations.inPlace.silu,
  mish: activations.mish,
  softplus: activations.softplus,
  logSigmoid: activations.logSigmoid,
  'mish in place': activations.inPlace.mish,
  hardSwish: activations.hardSwish,
  'hardSwish in place': activations.inPlace.hardSwish,
  'hardSigmoid in place': activations.inPlace.hardSigmoid,
  'sigmoid in place': activations.inPlace.sigmoid,
  'tanh in place': activations.inPlace.tanh,
  hardSigmoid: activations.hardSigmoid,
  prelu: (graph, input) => activations.prelu(graph, input),
  glu: (graph, input) => activations.glu(graph, input),
  mean: (graph, input) => reductions.mean(graph, input, [-1]),
  'mean of last': reductions.meanOfLast,
  sum: (graph, input) => reductions.sum(graph, input, [-1]),
  'sum, keeping the dimension': (graph, input) => reductions.sum(graph, input, [-1], true),
  variance: (graph, input) => reductions.variance(graph, input, [-1]),
  standardDeviation: (graph, input) => reductions.standardDeviation(graph, input, [-1]),
  maximumWithIndices: (graph, input) => indexing.maximumWithIndices(graph, input, -1),
  largest: (graph, input) => reductions.largest(graph, input, [-1]),
  product: (graph, input) => reductions.product(graph, input, [-1]),
  vectorNorm: (graph, input) => reductions.vectorNorm(graph, input, [-1]),
  cumulativeSum: reductions.cumulativeSum,
  logSumExp: (graph, input) => reductions.logSumExp(graph, input, [-1]),
  softmax: (graph, input) => reductions.softmax(graph, input),
  'softmax in fp32': (graph, input) => reductions.softmax(graph, input, 'fp32'),
  logSoftmax: reductions.logSoftmax,
  largestIndex: (graph, input) => indexing.largestIndex(graph, input, -1),
  crossEntropy: losses.crossEntropy,
  'crossEntropy, smoothed': losses.smoothedCrossEntropy,
  nll: losses.nll,
  squaredError: losses.squaredError,
  absoluteError: losses.absoluteError,
  smoothAbsoluteError: losses.smoothAbsoluteError,
  huberLoss: losses.huberLoss,
  binaryCrossEntropy: losses.binaryCrossEntropy,
  binaryCrossEntropyWithLogits: losses.binaryCrossEntropyWithLogits,
  ownGelu: activations.ownGelu,
  gatedActivation: activations.gatedActivation,
  cutCrossEntropy: (graph, hidden, labels) =>
    fusedLosses.cutCrossEntropy(graph, hidden, labels, products.parameter(graph, 10, 8)),
  linearLossInChunks: (graph, hidden, labels) =>
    fusedLosses.linearLossInChunks(graph, hidden, labels, products.parameter(graph, 10, 8)),
  divergence: losses.divergence,
  view: (graph, input) => shapes.view(graph, input, [6, 4]),
  'reshape, copied': (graph, input) => shapes.view(graph, shapes.transpose(graph, input, 1, 2), [2, 12]),
  contiguous: (graph, input) => shapes.contiguous(graph, shapes.transpose(graph, input, 0, 1)),
  clone: arrangement.clone,
  detach: arrangement.detach,
  transpose: (graph, input) => shapes.transpose(graph, input, 0, 2),
  permute: (graph, input) => shapes.permute(graph, input, 2, 0, 1),
  expand: (graph, input) => shapes.expand(graph, input, [2, 5, 4]),
  repeat: (graph, input) => shapes.repeat(graph, input, [1, 2, 1]),
  repeatInterleave: (graph, input) => shapes.repeatInterleave(graph, input, 2),
  repeatHeads: (graph, input) => shapes.repeatHeads(graph, input, 2),
  slice: (graph, input) => shapes.slice(graph, input, 1, 2),
  select: (graph, input) => indexing.select(graph, input, 1),
  split: (graph, input) => shapes.split(graph, input, 2),
  'split into': (graph, input) => shapes.splitInto(graph, input, [1, 3]),
  windows: (graph, input) => arrangement.windows(graph, input, 1, 4, 2),
  concatenate: (graph, a, b) => shapes.concatenate(graph, [a, b]),
  'concatenate along the first': (graph, a, b) => shapes.concatenate(graph, [a, b], 0),
  'concatenate, of two types': (graph, a, b) => shapes.concatenate(graph, [a, b]),
  stack: (graph, a, b) => arrangement.stack(graph, [a, b], 1),
  roll: arrangement.roll,
  flip: arrangement.flip,
  pad: (graph, input) => arrangement.pad(graph, input, [1, 2, 0, 1]),
  padByCopies: (graph, input) => arrangement.padByCopies(graph, input, [1, 2, 0, 1]),
  imageToColumns: (graph, input) => arrangement.imageToColumns(graph, input, [3, 3], 16),
  columnsToImage: (graph, input) => arrangement.columnsToImage(graph, input, [2, 4, 6, 6]),
  pixelShuffle: (graph, input) => arrangement.pixelShuffle(graph, input, 2),
  index: indexing.index,
  'index at': (graph, input, ...places) => indexing.indexAt(graph, input, places),
  indexSelect: (graph, input, indices) => indexing.indexSelect(graph, input, 1, indices),
  gather: indexing.gather,
  scatter: indexing.scatter,
  scatterAdd: indexing.scatterAdd,
  indexAdd: indexing.indexAdd,
  'indexAdd in place': indexing.indexAddInPlace,
  'indexPut in place': indexing.indexPutInPlace,
  maskedSelect: (graph, input, mask) => indexing.maskedSelect(graph, input, mask, 24),
  'index by a mask': (graph, input, mask) => indexing.indexByMask(graph, input, mask, 24),
  oneHot: (graph, indices) => indexing.oneHot(graph, indices, 7),
  topk: (graph, input) => indexing.topk(graph, input, 2),
  sort: indexing.sort,
  embedding: (graph, ids) => products.embedding(graph, ids, products.parameter(graph, 10, 8)),
  embeddingBag: (graph, ids, offsets) => indexing.embeddingBag(graph, ids, offsets, products.parameter(graph, 10, 8)),
  linear: (graph, input) => products.linear(graph, input, 5, true),
  'linear without bias': (graph, input) => products.linear(graph, input, 5, false),
  'linear of a transposed input': (graph, input) =>
    products.linear(graph, shapes.transpose(graph, input, 1, 2), 5, false),
  matrixProduct: products.batchedProduct,
  "heads' product": products.matrixProduct,
  batchedProductPlus: products.batchedProductPlus,
  groupedProduct: experts.groupedProduct,
  'eager attention': (graph, query, key, value) => {
    const scores = products.matrixProduct(graph, query, shapes.transpose(graph, key, -1, -2));
    return products.matrixProduct(graph, reductions.softmax(graph, elementwise.scale(graph, scores)), value);
  },
  flashAttention: products.flashAttention,
  efficientAttention: products.efficientAttention,
  cudnnAttention: products.cudnnAttention,
  layerNorm: (graph, input) => reductions.layerNorm(graph, input, true),
  'layerNorm without weights': norms.plainLayerNorm,
  rmsNorm: (graph, input) => norms.rmsNorm(graph, input),
  groupNorm: (graph, input) => norms.groupNorm(graph, input, 2),
  batchNorm: (graph, input) => norms.batchNorm(graph, input),
  'batchNorm in eval': (graph, input) => norms.batchNorm(graph, input),
  'batchNorm without weights': (graph, input) => norms.batchNorm(graph, input, { affine: false }),
  instanceNorm: (graph, input) => norms.instanceNorm(graph, input, true),
  'convolution 1d': (graph, input) => convolutions.convolution(graph, input, 6, { kernel: 3, stride: 2 }),
  'convolution 2d': (graph, input) => convolutions.convolution(graph, input, 6, { kernel: 3, padding: 1 }),
  'convolution 2d, grouped': (graph, input) =>
    convolutions.convolution(graph, input, 4, { kernel: 3, groups: 4, bias: false }),
  'convolution 3d': (graph, input) => convolutions.convolution(graph, input, 6, { kernel: 3, bias: false }),
  transposedConvolution: (graph, input) =>
    convolutions.transposedConvolution(graph, input, 6, { kernel: 3, stride: 2 }),
  maxPool: (graph, input) => pooling.maxPool(graph, input, { kernel: 3, stride: 2, padding: 1 }),
  'maxPool, rounded up': (graph, input) => pooling.maxPool(graph, input, { kernel: 2, roundUp: true }),
  averagePool: (graph, input) => pooling.averagePool(graph, input, { kernel: 2 }),
  adaptiveAveragePool: (graph, input) => pooling.adaptiveAveragePool(graph, input, [3, 3]),
  'adaptiveAveragePool to one': (graph, input) => pooling.adaptiveAveragePool(graph, input, [1, 1]),
  adaptiveMaxPool: (graph, input) => pooling.adaptiveMaxPool(graph, input, [3, 3]),
  'upsample, nearest': (graph, input) => pooling.upsample(graph, input, [18, 18]),
  'upsample, bilinear': (graph, input) => pooling.upsample(graph, input, [18, 18]),
  gridSample: pooling.gridSample,
  recurrentLayers(graph, input, hidden, cell) {
    const weights = [0, 1].map(() => recurrent.cellWeights(graph, 8, 8, 4));
    return recurrent.recurrentLayers(graph, input, [hidden, cell], weights, 1000);
  },
  lstmCell(graph, fromInput, fromHidden, cell) {
    const biases = [products.parameter(graph, 32), products.parameter(graph, 32)];
    const state = recurrent.fusedLstmStep(graph, fromInput, fromHidden, cell, biases);
    return [state.hidden, state.cell];
  },
  gruCell(graph, fromInput, fromHidden, hidden) {
    const biases = [products.parameter(graph, 24), products.parameter(graph, 24)];
    return recurrent.fusedGruStep(graph, fromInput, fromHidden, hidden, biases);
  },
  composedLstmCell(graph, input, hidden, cell) {
    const weights = recurrent.cellWeights(graph, size(input, 1), size(hidden, 1), 4);
    const state = recurrent.composedLstmCell(graph, input, { hidden, cell }, weights);
    return [state.hidden, state.cell];
  },
};
