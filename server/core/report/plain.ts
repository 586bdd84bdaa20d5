/**
 * Shows control characters as escapes, so that the name or the code of a file can neither break a line of a report nor
 * command the terminal it is shown in.
 */
export const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
