import type { Call, Expression } from '../python/ast.ts';
import type { Names } from '../python/names.ts';

/** A model of transformers or diffusers that `from_pretrained` loads, which gives it in eval mode. */
export interface PretrainedModel {
  readonly library: 'transformers' | 'diffusers';
  /** `AutoModelForCausalLM` */
  readonly className: string;
  readonly loading: Call;
}

const loader = /^(transformers|diffusers)\.(?:\w+\.)*(\w+)\.from_pretrained$/;

/** What a name that is bound once stands for, also behind `get_peft_model` and `.to(…)`. */
export function pretrainedModel(model: Expression, names: Names, depth = 0): PretrainedModel | undefined {
  if (depth > longestChain) return undefined;
  if (model.kind === 'name') {
    const [binding, ...others] = names.bindingsOf(model);
    return binding?.to === 'value' && others.length === 0
      ? pretrainedModel(binding.value, names, depth + 1)
      : undefined;
  }
  if (model.kind !== 'call') return undefined;
  const qualified = names.qualifiedName(model.callee) ?? '';
  const [, library, className] = loader.exec(qualified) ?? [];
  if ((library === 'transformers' || library === 'diffusers') && className !== undefined) {
    return { library, className, loading: model };
  }
  const [first] = model.arguments;
  if (qualified === 'peft.get_peft_model' && first?.kind === 'positional') {
    return pretrainedModel(first.value, names, depth + 1);
  }
  return model.callee.kind === 'attribute' && /^(to|cuda)$/.test(model.callee.attribute.name)
    ? pretrainedModel(model.callee.object, names, depth + 1)
    : undefined;
}

/** Names that are bound to names end here. */
const longestChain = 8;
