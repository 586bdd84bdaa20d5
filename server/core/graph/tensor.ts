/**
 * Tensors as autograd's memory sees them: a shape laid over a storage. Several tensors may lie over one storage (views);
 * memory is counted per storage, never per tensor.
 */
export interface Tensor {
  readonly storage: Storage;
  readonly shape: Shape;
  /** In elements, one per dimension; 0 for a dimension that was expanded. */
  readonly strides: Shape;
  readonly elementType: ElementType;
  readonly requiresGradient: boolean;
}

export type Shape = readonly number[];

export interface Storage {
  readonly bytes: number;
  readonly role: StorageRole;
}

export type StorageRole =
  | 'activation'
  /** What one layer hands to the next; counted with the layer that reads it. */
  | 'boundary'
  /** Made once and read by every layer (rotary tables); counted with the first layer. */
  | 'shared'
  | 'parameter'
  /** Handed in by the training loop (token ids); not the model's own memory. */
  | 'input';

export type ElementType = 'fp32' | 'bf16' | 'fp16' | 'int64' | 'int32' | 'bool';

const elementBytes: Readonly<Record<ElementType, number>> = { fp32: 4, bf16: 2, fp16: 2, int64: 8, int32: 4, bool: 1 };

export interface TensorOptions {
  readonly role?: StorageRole;
  readonly requiresGradient?: boolean;
  readonly strides?: Shape;
}

/** A tensor with a storage of its own, just as large as its elements need. */
export function newTensor(shape: Shape, elementType: ElementType, options: TensorOptions = {}): Tensor {
  return {
    storage: { bytes: elementCount(shape) * elementBytes[elementType], role: options.role ?? 'activation' },
    shape,
    strides: options.strides ?? contiguousStrides(shape),
    elementType,
    requiresGradient: options.requiresGradient ?? false,
  };
}

export function elementCount(shape: Shape): number {
  let count = 1;
  for (const size of shape) count *= size;
  return count;
}

/** Bytes of the tensor's own elements, which may be fewer (a slice) or more (an expansion) than its storage has. */
export const tensorBytes = (tensor: Tensor): number => elementCount(tensor.shape) * elementBytes[tensor.elementType];

export const size = (tensor: Tensor, dimension: number): number => tensor.shape.at(dimension) ?? 1;

export function contiguousStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= Math.max(1, shape[i] ?? 1);
  }
  return strides;
}

/** The strides a new tensor gets when it follows another one's order of dimensions and has no gaps. */
export function denseStrides({ shape, strides }: Pick<Tensor, 'shape' | 'strides'>): Shape {
  const outermostFirst = shape.map((_, i) => i).sort((i, j) => (strides[j] ?? 0) - (strides[i] ?? 0) || i - j);
  const dense = new Array<number>(shape.length);
  let stride = 1;
  for (const i of outermostFirst.toReversed()) {
    dense[i] = stride;
    stride *= shape[i] ?? 1;
  }
  return dense;
}

export function isContiguous({ shape, strides }: Tensor): boolean {
  let expected = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    const length = shape[i] ?? 1;
    if (length === 1) continue;
    if (strides[i] !== expected) return false;
    expected *= length;
  }
  return true;
}

export const sameShape = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((length, i) => length === b[i]);

export const isFloating = (type: ElementType): boolean => type === 'fp32' || type === 'bf16' || type === 'fp16';

/** The type of `a + b`: fp32 wins, and of two different 16-bit types neither is enough. */
export const promoted = (a: ElementType, b: ElementType): ElementType =>
  a === b || !isFloating(b) ? a : !isFloating(a) ? b : 'fp32';
