/**
 * Python ends a line at a lone carriage return too, tree-sitter's grammar does not. A line feed in its place has the same
 * length, so every offset stays.
 */
export const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text);
