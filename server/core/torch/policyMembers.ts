/** Members of torch's `CheckpointPolicy`, and what selective checkpointing does with an operation of which a policy says so. */
export const policyMembers: ReadonlyMap<string, string> = new Map([
  ['MUST_SAVE', 'Keeps the result; torch.compile may not change that'],
  ['PREFER_SAVE', 'Keeps the result; torch.compile may decide otherwise'],
  ['MUST_RECOMPUTE', 'Runs the operation again; torch.compile may not change that'],
  ['PREFER_RECOMPUTE', 'Runs the operation again; torch.compile may decide otherwise'],
]);
