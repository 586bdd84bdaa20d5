/** Of an absolute path with `/`, what it is in; the root is in itself. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  if (end > 0) return path.slice(0, end);
  return end === 0 ? '/' : '.';
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
