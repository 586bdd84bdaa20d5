import type { Kernels, Operation } from './graph.ts';
import { operationRow } from './operations.ts';
import { newTensor, type Storage, type Tensor } from './tensor.ts';

/**
 * Bytes of the storages that something still holds, and the most there ever were. A storage counts once however many hold
 * it, and goes when the last one lets go, as PyTorch's reference counts do. Parameters, the model's inputs and what all
 * layers share never count.
 */
export class MemoryMeter {
  #live = 0;
  #peak = 0;
  readonly #holders = new Map<Storage, number>();

  get live(): number {
    return this.#live;
  }

  get peak(): number {
    return this.#peak;
  }

  hold({ storage }: Tensor): void {
    if (storage.role !== 'activation' && storage.role !== 'boundary') return;
    const holders = this.#holders.get(storage) ?? 0;
    this.#holders.set(storage, holders + 1);
    if (holders === 0) this.#add(storage.bytes);
  }

  release({ storage }: Tensor): void {
    const holders = this.#holders.get(storage);
    if (holders === undefined) return;
    if (holders > 1) this.#holders.set(storage, holders - 1);
    else {
      this.#holders.delete(storage);
      this.#live -= storage.bytes;
    }
  }

  /** Bytes in use for a moment on top of what is held. */
  touch(bytes: number): void {
    this.#peak = Math.max(this.#peak, this.#live + bytes);
  }

  #add(bytes: number): void {
    this.#live += bytes;
    this.#peak = Math.max(this.#peak, this.#live);
  }
}

/** For `runForward`: everything stays that autograd keeps. */
export const keptOf = ({ kept }: Operation): readonly Tensor[] => kept;
/** For `runForward` without gradients. */
export const nothing = (): readonly Tensor[] => [];

/**
 * Runs operations forward. A result lives until its last use, as a local variable does; what `keep` names for an operation
 * (what autograd keeps of it, or nothing) stays held when this returns. `results` stay held as well: the caller goes on
 * with them. `count` stops it after so many operations: what the others would still use stays held, as the variables of code
 * do that an exception ends.
 */
export function runForward(
  meter: MemoryMeter,
  operations: readonly Operation[],
  results: readonly Tensor[],
  keep: (operation: Operation) => readonly Tensor[],
  count = operations.length,
): void {
  const lastUse = new Map<Tensor, Operation>();
  for (const operation of operations) {
    for (const output of operation.outputs) lastUse.set(output, operation);
    for (const input of operation.inputs) if (lastUse.has(input)) lastUse.set(input, operation);
  }
  for (const result of results) lastUse.delete(result);
  for (const operation of operations.slice(0, count)) {
    for (const output of operation.outputs) meter.hold(output);
    for (const kept of keep(operation)) meter.hold(kept);
    for (const tensor of new Set([...operation.inputs, ...operation.outputs])) {
      if (lastUse.get(tensor) === operation) meter.release(tensor);
    }
  }
}

/**
 * Runs the backward pass of operations in reverse, as autograd's engine does: each step allocates the gradients of its
 * inputs, then lets go of what it kept and of its outputs' gradients, then adds gradients that meet. A weight's gradient
 * counts while it is being made; where it goes then is the states' account. Expects what the operations keep to be held.
 * Returns the gradient of `input`, held.
 */
export function runBackward(
  meter: MemoryMeter,
  operations: readonly Operation[],
  output: Tensor,
  input: Tensor,
  { before, arriving = newGradient(output), kernels = 'cuda', nodesHoldKept = false }: BackwardOptions = {},
): Tensor | undefined {
  const gradients = new Map<Tensor, Tensor>([[output, arriving]]);
  meter.hold(arriving);
  for (let i = operations.length - 1; i >= 0; i--) {
    const operation = operations[i];
    if (operation === undefined) continue;
    const arrived = operation.outputs.flatMap((each) => gradients.get(each) ?? []);
    const gradient = arrived[0];
    if (gradient === undefined) continue;
    before?.(operation);
    const row = operationRow(operation.name);
    const call = { ...operation, gradient };
    const results = row.gradients(call).map((each, at) => {
      const wanted = operation.inputs[at];
      return each && wanted?.requiresGradient ? { of: wanted, gradient: each } : undefined;
    });
    for (const result of results) if (result) meter.hold(result.gradient);
    const inKernel = kernels === 'cuda' ? (row.cudaTemporaryBytes?.(call) ?? 0) : 0;
    const temporaryBytes = row.backwardTemporaryBytes?.(call) ?? 0;
    meter.touch(temporaryBytes + inKernel);
    const letGo = (): void => {
      for (const kept of operation.kept) meter.release(kept);
    };
    if (!nodesHoldKept) letGo();
    const typed = results.map((result) => result && inOwnType(meter, result, temporaryBytes));
    if (nodesHoldKept) letGo();
    for (const each of operation.outputs) gradients.delete(each);
    for (const each of arrived) meter.release(each);
    for (const result of typed) if (result) deliver(meter, gradients, result);
  }
  return gradients.get(input);
}

interface BackwardOptions {
  /** Runs before each step, to recompute. */
  readonly before?: (operation: Operation) => void;
  /** The gradient of `output`, which goes when it has been used unless the caller holds it as well. */
  readonly arriving?: Tensor;
  readonly kernels?: Kernels;
  /** What was kept is in autograd's nodes to the end of a step; what a checkpoint hands out goes as soon as it is used. */
  readonly nodesHoldKept?: boolean;
}

interface Result {
  readonly of: Tensor;
  readonly gradient: Tensor;
}

/** The engine gives each gradient the type of its tensor before it lets go of what came in. */
function inOwnType(meter: MemoryMeter, { of, gradient }: Result, temporaryBytes: number): Result {
  if (gradient.elementType === of.elementType) return { of, gradient };
  const cast = newGradient(of);
  meter.hold(cast);
  meter.touch(temporaryBytes);
  meter.release(gradient);
  return { of, gradient: cast };
}

function deliver(meter: MemoryMeter, gradients: Map<Tensor, Tensor>, { of, gradient }: Result): void {
  if (of.storage.role === 'parameter') {
    meter.release(gradient);
    return;
  }
  const earlier = gradients.get(of);
  if (earlier === undefined) {
    gradients.set(of, gradient);
    return;
  }
  const sum = newGradient(of);
  meter.hold(sum);
  meter.release(earlier);
  meter.release(gradient);
  gradients.set(of, sum);
}

export const newGradient = (of: Tensor): Tensor => newTensor(of.shape, of.elementType);
