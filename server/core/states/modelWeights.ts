import type { ModelShape, RunShape } from '../budget/account.ts';
import { familyNamed } from '../families/generated/registry.ts';
import { ModelBuilder } from '../families/modelBuilder.ts';
import { graphWeights } from './graphWeights.ts';
import type { ModelWeights } from './weights.ts';

/** The weights of a shape in a run: which are trained, and in what they are stored. Undefined for an unknown family. */
export function modelWeights(model: ModelShape, run: RunShape): ModelWeights | undefined {
  const family = familyNamed(model.family);
  if (family === undefined) return undefined;
  const builder = new ModelBuilder(run);
  family.forward(builder, model, run);
  return graphWeights(builder.build(), builder.precision.weights);
}
