/** Every rule is about code that says one of these; a file without them needs neither parsing nor rules. */
export const relevantWords: readonly string[] = ['checkpoint', 'activation_memory_budget', '--recompute-'];

export const isRelevant = (text: string): boolean => relevantWords.some((word) => text.includes(word));
