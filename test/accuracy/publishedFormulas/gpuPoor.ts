/** RahulSChand/gpu_poor: checkpointing multiplies the activations by a constant. */
export const checkpointedActivations = (activations: number): number => 0.15 * activations;
