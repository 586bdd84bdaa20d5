/** Takes the signs out of Markdown that only make sense rendered; the words, the code and the layout stay. */
export const plainMarkdown = (markdown: string): string =>
  markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? withoutFences(part) : withoutSigns(part)))
    .join('');

const withoutFences = (block: string): string =>
  block
    .split('\n')
    .slice(1, -1)
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');

const withoutSigns = (prose: string): string =>
  prose
    .replaceAll(/^#+ +/gm, '')
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll(/`([^`]+)`/g, '$1')
    .replaceAll(/\[([^\]]+)\]\((https?:[^)]+)\)/g, '$1 ($2)');
