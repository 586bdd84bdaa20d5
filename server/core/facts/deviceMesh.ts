import type { Expression } from '../python/ast.ts';
import { present, type SaidRun, type SaidSettings, saysNothing } from './configFiles/said.ts';
import type { Fact } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { isSize } from './modelReading.ts';
import { factOf, type Source } from './source.ts';
import { isAside } from './standing.ts';

/** How many ranks share what: `init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))`, accelerate's `ParallelismConfig`. */
export function deviceMesh(source: Source): SaidRun {
  for (const here of source.calls) {
    const { call, qualified } = here;
    if (qualified === undefined || isAside(source, here)) continue;
    if (qualified.startsWith('torch.') && qualified.endsWith('.init_device_mesh')) {
      const { fields } = source.givenTo(call);
      const second = call.arguments[1];
      const shape = fields.get('mesh_shape')?.value ?? (second?.kind === 'positional' ? second.value : undefined);
      return { ...saysNothing, settings: named(source, shape, fields.get('mesh_dim_names')?.value) };
    }
    if (/^accelerate\.(\w+\.)*ParallelismConfig$/.test(qualified)) {
      const { fields } = source.givenTo(call);
      const size = (name: string): Fact<number> | undefined => {
        const read = fieldValue(source, fields.get(name));
        return read !== undefined && isSize(read.value) ? factOf(source, read, read.value) : undefined;
      };
      const settings = present({
        dataParallel: size('dp_shard_size') ?? size('dp_replicate_size'),
        tensorParallel: size('tp_size'),
        contextParallel: size('cp_size') ?? size('sp_size'),
      });
      return { ...saysNothing, settings };
    }
  }
  return saysNothing;
}

/** By the names that torch's own examples and torchtitan give the dimensions. */
type Parallelism = 'dataParallel' | 'tensorParallel' | 'contextParallel' | 'pipelineParallel' | 'expertParallel';

const dimensions: readonly (readonly [RegExp, Parallelism])[] = [
  [/^(dp|dp_shard|fsdp|data|data_parallel|dp_replicate|replicate)$/i, 'dataParallel'],
  [/^(tp|tensor|tensor_parallel)$/i, 'tensorParallel'],
  [/^(cp|context|context_parallel)$/i, 'contextParallel'],
  [/^(pp|pipeline|pipeline_parallel)$/i, 'pipelineParallel'],
  [/^(ep|expert|expert_parallel)$/i, 'expertParallel'],
];

function named(source: Source, shape: Expression | undefined, names: Expression | undefined): SaidSettings {
  const sizes = partsOf(source, shape);
  const words = partsOf(source, names).map((element) => source.read(element)?.value);
  const settings: Partial<Record<Parallelism, Fact<number>>> = {};
  for (const [index, element] of sizes.entries()) {
    const word = words[index];
    const known = dimensions.find(([pattern]) => typeof word === 'string' && pattern.test(word));
    const read = source.read(element);
    if (known !== undefined && read !== undefined && isSize(read.value))
      settings[known[1]] = factOf(source, read, read.value);
  }
  return settings;
}

function partsOf(source: Source, expression: Expression | undefined): readonly Expression[] {
  const roots = expression === undefined ? [] : source.rootsOf(expression);
  const [root] = roots;
  return roots.length === 1 && (root?.kind === 'tuple' || root?.kind === 'list') ? root.elements : [];
}
