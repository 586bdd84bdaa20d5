import type { ModelShape, RunShape } from '../../budget/account.ts';
import { pad, roll } from '../../graph/arrangement.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { index } from '../../graph/indexing.ts';
import { linear, parameter } from '../../graph/products.ts';
import { contiguous, permute, slice, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { dropoutOf } from '../settings.ts';
import type { Sides } from './images.ts';
import { packedHeads, unfusedAttention } from './packedAttention.ts';

export interface WindowSizes {
  readonly window: Sides;
  readonly isShifted: boolean;
  readonly heads: number;
}

/** Swin's attention of `[batch, height, width, channels]` within windows, the image rolled by half of one if shifted. */
export function windowAttention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  sizes: WindowSizes,
): Tensor {
  const [batch, height, width, channels] = [size(input, 0), size(input, 1), size(input, 2), size(input, 3)];
  const [down, across] = sizes.window;
  const rolled = sizes.isShifted ? roll(graph, input) : input;
  const padded = pad(graph, rolled, [0, 0, 0, restOf(width, across), 0, restOf(height, down)]);
  const [rows, columns] = [size(padded, 1) / down, size(padded, 2) / across];
  const cut = view(graph, padded, [batch, rows, down, columns, across, channels]);
  const windows = view(graph, contiguous(graph, permute(graph, cut, 0, 1, 3, 2, 4, 5)), [-1, down * across, channels]);
  const attended = withinWindows(graph, model, run, windows, sizes, rows * columns);
  const apart = view(graph, attended, [batch, rows, columns, down, across, channels]);
  const joined = contiguous(graph, permute(graph, apart, 0, 1, 3, 2, 4, 5));
  const whole = view(graph, joined, [batch, size(padded, 1), size(padded, 2), channels]);
  const trimmed = contiguous(graph, slice(graph, slice(graph, whole, 1, height), 2, width));
  return sizes.isShifted ? roll(graph, trimmed) : trimmed;
}

function withinWindows(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  windows: Tensor,
  { window, isShifted, heads }: WindowSizes,
  windowsOfImage: number,
): Tensor {
  const [count, area, channels] = [size(windows, 0), size(windows, 1), size(windows, 2)];
  const packed = packedHeads(graph, { heads, headDimension: channels / heads, bias: model.bias }, windows);
  const biased = (scores: Tensor): Tensor => {
    const placed = add(graph, scores, relativeBias(graph, window, heads));
    if (!isShifted) return placed;
    // What the roll has brought together from two sides of the image is masked, by a buffer of the model.
    const mask = newTensor([1, windowsOfImage, 1, area, area], graph.precision.weights, { role: 'input' });
    const byImage = view(graph, placed, [-1, windowsOfImage, heads, area, area]);
    return view(graph, add(graph, byImage, mask), [-1, heads, area, area]);
  };
  const core = graph.within('attention-scores', () =>
    unfusedAttention(graph, { dropout: dropoutOf(model, run, 'attn_drop_rate') }, packed, biased),
  );
  const joined = view(graph, transpose(graph, core, 1, 2), [count, area, channels]);
  return dropout(graph, linear(graph, joined, channels, true, 'proj'), dropoutOf(model, run, 'proj_drop_rate'));
}

/** `[1, heads, area, area]`, looked up by how far two places of a window are apart. */
function relativeBias(graph: GraphBuilder, [down, across]: Sides, heads: number): Tensor {
  const area = down * across;
  const table = parameter(graph, (2 * down - 1) * (2 * across - 1), heads);
  const places = newTensor([area * area], 'int64', { role: 'input' });
  const found = view(graph, index(graph, table, places), [area, area, heads]);
  return view(graph, contiguous(graph, permute(graph, found, 2, 0, 1)), [1, heads, area, area]);
}

/** How much is missing to whole windows. */
const restOf = (length: number, window: number): number => (window - (length % window)) % window;
