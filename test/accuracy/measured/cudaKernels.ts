import type { PieceMemory } from '../../../server/core/budget/pieceMemory.ts';
import { holdKept } from '../../../server/core/budget/pieceMemory.ts';
import type { Step } from '../../../server/core/budget/step.ts';
import type { Operation } from '../../../server/core/graph/graph.ts';
import { MemoryMeter, runBackward } from '../../../server/core/graph/liveMemory.ts';
import { newTensor, type Tensor } from '../../../server/core/graph/tensor.ts';

/**
 * The step with what CUDA's kernels make for a moment and the meta device, which the engine's peaks are proven on, does not.
 * There is one such tensor that matters: the backward pass of softmax multiplies gradient and result first (`Tensor tmp = grad
 * * output` in aten/src/ATen/native/cuda/SoftMax.cu). From fp16 to fp32 one kernel does both ways, so that the fp32 gradient
 * the engine counts is an fp16 one there (aten/src/ATen/native/SoftMax.cpp).
 */
export function onCuda(step: Step): Step {
  const known = new Map<PieceMemory, PieceMemory>();
  const memoryOf = (memory: PieceMemory): PieceMemory => {
    const made = known.get(memory) ?? { ...memory, backwardPeakBytes: backwardPeak(memory) };
    known.set(memory, made);
    return made;
  };
  return { ...step, units: step.units.map((unit) => ({ ...unit, memory: memoryOf(unit.memory) })) };
}

function backwardPeak({ piece, backwardPeakBytes }: PieceMemory): number {
  const { operations } = piece.graph;
  if (!piece.output.requiresGradient || !operations.some(({ name }) => name === 'softmax')) return backwardPeakBytes;
  const meter = new MemoryMeter();
  holdKept(meter, operations);
  let temporary: Tensor | undefined;
  runBackward(meter, operations, piece.output, piece.input, (operation) => {
    if (temporary !== undefined) meter.release(temporary);
    temporary = operation.name === 'softmax' ? softmaxTemporary(operation, operations) : undefined;
    if (temporary !== undefined) meter.hold(temporary);
  });
  return meter.peak;
}

function softmaxTemporary({ inputs, outputs }: Operation, operations: readonly Operation[]): Tensor | undefined {
  const [input] = inputs;
  const [output] = outputs;
  if (input === undefined || output === undefined) return undefined;
  const cast = operations.find((each) => each.outputs.includes(input) && each.inputs[0]?.elementType === 'fp16');
  const isFused = cast !== undefined && output.elementType === 'fp32' && cast.inputs[0]?.elementType === 'fp16';
  return newTensor(output.shape, isFused ? 'fp16' : output.elementType);
}
