import { textPlaces } from '../python/textPlaces.ts';
import { namesCheckpointing } from './checkpointNames.ts';

/** How Megatron's options for recomputation begin. */
const recomputeFlags = '--recompute-';

/** Every rule is about code that says one of these; a file without them is not even decoded. */
export const relevantWords: readonly string[] = ['checkpoint', 'activation_memory_budget', recomputeFlags];

/**
 * Whether rules may have anything to say about a module; the others are neither parsed nor linted. Most files that say
 * "checkpoint" save and load weights, or say it in a comment, a docstring or a message.
 */
export function isRelevant(text: string): boolean {
  const says = (one: string): boolean => text.includes(one);
  if (!hasRelevantWord(text)) return false;
  if (text.length < shortText) return true;
  if (otherWords.some(says) || givesDeepSpeed(text) || setsBudget(text) || isEager(text) || mayRerun(text)) return true;
  return namesCheckpointing(text);
}

export const hasRelevantWord = (text: string): boolean => relevantWords.some((one) => text.includes(one));

/**
 * Judges the versions of one document, one after the other. Once one of them was relevant the words alone decide: at each key
 * it would take longer to look for what makes a long text relevant than that saves.
 */
export function relevanceOfVersions(): (text: string) => boolean {
  let wasRelevant = false;
  return (text) => {
    wasRelevant = wasRelevant ? hasRelevantWord(text) : isRelevant(text);
    return wasRelevant;
  };
}

/** A file this short is linted as quickly as it is judged. In UTF-16 units. */
const shortText = 4_000;

/** What rules look for in any file that says "checkpoint". */
const otherWords: readonly string[] = [
  recomputeFlags,
  'checkpoint-lens',
  'enable_input_require_grads',
  'partition_activations',
  'contiguous_memory_optimization',
];

/** A configuration given to a trainer. */
const givesDeepSpeed = (text: string): boolean => text.includes('deepspeed') && /\bdeepspeed\s*=(?!=)/.test(text);

/** As an attribute or a keyword; to read it is no mistake. */
const setsBudget = (text: string): boolean =>
  text.includes('activation_memory_budget') &&
  /(?:\.|[(,]\s{0,100})activation_memory_budget[ \t]*(?::[^=\n]{0,100})?=(?!=)/.test(text);

const isEager = (text: string): boolean => text.includes('attn_implementation') && /(["'])eager\1/.test(text);

/** A custom backward that reads its tensors twice, or runs its forward again. */
const mayRerun = (text: string): boolean =>
  /\benable_grad\b|\bsaved_tensors\b[\s\S]*\bsaved_tensors\b/.test(text) && hasFunctionClass(text);

/** A class whose base is `Function`, or that under another name. */
function hasFunctionClass(text: string): boolean {
  if (!/^[ \t]*def[ \t]+backward\b/m.test(text)) return false;
  const placeAt = textPlaces(text);
  for (const { index } of text.matchAll(functionClass)) if (placeAt(index) === 'code') return true;
  return false;
}

const functionClass =
  /(?<=^[ \t]*)class[ \t]+\w+[ \t]*\([^)]{0,300}\bFunction\b|\bFunction[ \t]+as\b|=[ \t]*[\w.]*\bFunction\b/gm;
