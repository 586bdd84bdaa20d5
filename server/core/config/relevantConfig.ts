/**
 * A larger file is data, not settings a person writes, and the parsers take seconds for twisted texts of that size. In
 * UTF-16 units.
 */
export const largestConfigText = 100_000;

/** What such a text takes at most on disk, as UTF-8. */
export const largestConfigBytes = 3 * largestConfigText;

/** Every rule about settings is about one of these words; a file without them needs no parsing. */
export const configWords = ['checkpoint', 'recompute', 'activation_offloading'] as const;

export const isTooLarge = (text: string): boolean => text.length > largestConfigText;

export const isRelevantConfig = (text: string): boolean =>
  !isTooLarge(text) && configWords.some((word) => text.includes(word));
