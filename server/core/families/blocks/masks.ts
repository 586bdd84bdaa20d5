import type { ModelShape, RunShape } from '../../budget/account.ts';
import { newTensor, type Tensor } from '../../graph/tensor.ts';
import { type ModelBuilder, weightsTypeOf } from '../modelBuilder.ts';
import { flagSetting, listSetting, numberSetting } from '../settings.ts';
import { attentionKernel } from './attention.ts';

/** Makes the causal mask as transformers does: once for all layers, and only where no kernel knows causality by itself. */
export function causalMask(builder: ModelBuilder, run = builder.run): void {
  if (attentionKernel(run) === 'eager') builder.share(eagerMask(run));
}

/**
 * Makes the mask of layers that look back `window` positions at most (all of them where null). FlashAttention knows windows;
 * the other kernels of scaled_dot_product_attention are given `[1, 1, sequence, sequence]` booleans as soon as the sequence
 * is as long as the window, and those are returned: they cost the layer a bias of its own, and rule FlashAttention out.
 */
export function windowMask(builder: ModelBuilder, window: number | null): Tensor | undefined {
  const { run } = builder;
  if (attentionKernel(run) === 'eager') builder.share(eagerMask(run));
  if (run.attention === 'eager' || run.attention === 'flash' || window === null || run.sequence < window) {
    return undefined;
  }
  return builder.share(newTensor([1, 1, run.sequence, run.sequence], 'bool'));
}

/** The same for a model that makes its causal mask for the kernels that would not need it, too. */
export const fullMask = (builder: ModelBuilder): Tensor | undefined => windowMask(builder, 0);

/** Whether the layer at `index` has a window: what `layer_types` says, else the rule of the configuration class. */
export function isWindowed(model: ModelShape, index: number, rule: (index: number) => boolean): boolean {
  const type = listSetting(model, 'layer_types', [])[index];
  return type === undefined ? rule(index) : type === 'sliding_attention';
}

/** Masks of a model whose layers differ in how far they look back. */
export interface LayerMasks {
  readonly of: (index: number) => Tensor | undefined;
  /** For `LayerStack.kind`: layers differ only where their masks do. */
  readonly kind: (index: number) => string;
}

/** Makes the causal mask, and the window's if a layer has one. */
export function layerMasks(
  builder: ModelBuilder,
  model: ModelShape,
  window: number | null,
  windowed: (index: number) => boolean,
): LayerMasks {
  causalMask(builder);
  const hasWindow = (index: number): boolean => isWindowed(model, index, windowed);
  const isMade = Array.from({ length: model.layers }, (_, index) => index).some(hasWindow);
  const mask = isMade ? windowMask(builder, window) : undefined;
  const of = (index: number): Tensor | undefined => (hasWindow(index) ? mask : undefined);
  return { of, kind: (index) => (of(index) ? 'sliding_attention' : 'full_attention') };
}

/** The same where a switch turns windows on, from a certain layer on (Qwen2 and Qwen3). */
export function switchedMasks(builder: ModelBuilder, model: ModelShape): LayerMasks {
  const isOn = flagSetting(model, 'use_sliding_window', false);
  const window = isOn ? windowSetting(model) : null;
  const first = numberSetting(model, 'max_window_layers', windowSwitch.max_window_layers);
  return layerMasks(builder, model, window, (index) => window !== null && index >= first);
}

/** What `switchedMasks` reads, with the defaults of the configuration classes. */
export const windowSwitch = {
  use_sliding_window: false,
  sliding_window: 4096,
  max_window_layers: 28,
  layer_types: null,
} as const;

/** Makes the one mask of a model all of whose layers look back the same window, or all the way where it is null. */
export function commonMasks(builder: ModelBuilder, window: number | null): LayerMasks {
  if (window === null) causalMask(builder);
  const mask = window === null ? undefined : windowMask(builder, window);
  return { of: () => mask, kind: () => (mask ? 'sliding_attention' : 'full_attention') };
}

/** `sliding_window`, null for none. */
export function windowSetting(model: ModelShape): number | null {
  const window = model.settings?.sliding_window;
  return typeof window === 'number' ? window : null;
}

/** One for each sequence, added to its scores. */
function eagerMask(run: RunShape): Tensor {
  return newTensor([run.batch, 1, run.sequence, run.sequence], weightsTypeOf(run));
}
