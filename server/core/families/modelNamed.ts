import { type KnownModel, knownModel, knownModels } from './knownModels.ts';

/** A model of the registry, with a sentence where another of its models stands for the one that is named. */
export interface NamedModel {
  readonly known: KnownModel;
  readonly note?: string;
}

/**
 * The registry's model that a program names: by its id, as an organisation publishes it again, by what was trained from it
 * without a change of its sizes, or by the folder it lies in.
 */
export function modelNamed(id: string): NamedModel | undefined {
  const exact = knownModel(id);
  if (exact !== undefined) return { known: exact };
  const [, owner, name = ''] = /^(?:(.*)\/)?([^/]+)\/*$/.exec(id.trim()) ?? [];
  const plain = withoutQuantisation(name);
  const inFolder = isFolder(id, owner);
  const base = baseOf(inFolder || owner === undefined ? plain : `${owner}/${plain}`);
  const same = inFolder || (owner !== undefined && publishesAgain(owner)) ? sameName(plain) : undefined;
  if (same !== undefined)
    return {
      known: same,
      note: inFolder
        ? `the folder ${id} is called like ${same.id}, whose sizes are taken`
        : `${id} is ${same.id}, published again`,
    };
  const from = inFolder ? `the folder ${id} is called like a model with` : `${id} has`;
  return base && { known: base, note: `${from} the sizes of ${base.id}` };
}

/** The one model whose id has the same letters and digits, tunings and the organisation aside. */
export function sameName(name: string): KnownModel | undefined {
  const wanted = squeezed(name);
  const found = wanted === '' ? [] : knownModels().filter(({ id }) => squeezed(lastPart(id)) === wanted);
  return found.length === 1 ? found[0] : undefined;
}

/** `Llama-2-7b-hf`, `llama2_7b` and `Meta-Llama-2-7B` alike. */
export const squeezed = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^meta-/, '')
    .replace(/[-_](hf|base|instruct|it|chat|v0\.1)(?=[-_]|$)/g, '')
    .replace(/[^a-z0-9]/g, '');

export const lastPart = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

const withoutQuantisation = (name: string): string =>
  name.replace(/-(?:(?:unsloth-)?bnb-4bit|(?:gptq|awq)(?:-int4)?|(?:gptq|awq)-int8|fp8)$/i, '');

const publishesAgain = (owner: string): boolean =>
  /^(unsloth|nousresearch|huggyllama|hugging-quants|neuralmagic|redhatai|llm-research|ai-modelscope|modelscope|shakechen|meta-llama|qwen|google|mistralai)$/i.test(
    owner,
  );

/** A path; a hub's id has one slash and none of these words before it. */
const isFolder = (id: string, owner: string | undefined): boolean =>
  /^(\.{0,2}\/|~)/.test(id) ||
  (owner !== undefined && (owner.includes('/') || /^(models?|pretrained|checkpoints?|ckpts?|weights)$/i.test(owner)));

/**
 * What is known to have been trained from a model with its sizes and its vocabulary as they were, and which; `$1` is the size.
 */
const trainedFrom: readonly (readonly [RegExp, string])[] = [
  [/^(?:lmsys\/)?vicuna-(7|13)b-v1\.5$/i, 'meta-llama/Llama-2-$1b-hf'],
  [/^(?:lmsys\/)?vicuna-(7|13)b(?:-delta)?-v1\.[13]$/i, 'huggyllama/llama-$1b'],
  [/^(?:HuggingFaceH4\/)?(?:zephyr-7b-(?:alpha|beta)|mistral-7b-sft-(?:alpha|beta))$/i, 'mistralai/Mistral-7B-v0.1'],
  [/^(?:alignment-handbook\/)?zephyr-7b-sft-full$/i, 'mistralai/Mistral-7B-v0.1'],
  [/^(?:deepseek-ai\/)?DeepSeek-R1-Distill-Qwen-(7|14|32)B$/i, 'Qwen/Qwen2.5-$1B'],
  [/^(?:deepseek-ai\/)?DeepSeek-R1-Distill-Llama-8B$/i, 'meta-llama/Meta-Llama-3.1-8B'],
  [/^(?:deepseek-ai\/)?DeepSeek-R1-Distill-Llama-70B$/i, 'meta-llama/Llama-3.3-70B-Instruct'],
  [/^bigscience\/bloomz$/i, 'bigscience/bloom'],
  [/^bigscience\/bloomz-(\w+)$/i, 'bigscience/bloom-$1'],
  [/^(?:Qwen\/)?Qwen2\.5-(?:Math|Coder)-([\d.]+)B(?:-Instruct)?$/i, 'Qwen/Qwen2.5-$1B'],
  [/^(?:Qwen\/)?Qwen3-([\w-]+B)-(?:Instruct|Thinking)-2507$/i, 'Qwen/Qwen3-$1'],
];

function baseOf(name: string): KnownModel | undefined {
  for (const [pattern, base] of trainedFrom) {
    const found = pattern.exec(name);
    if (found !== null) return knownModel(base.replace('$1', found[1] ?? ''));
  }
  return undefined;
}
