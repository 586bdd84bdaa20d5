import { type ConfigFile, configFile, configFormatOf } from '../config/configFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The configuration that a file names: a path beside it, or from one of the workspace's folders, as programs start there. */
export function namedConfig(name: string, from: string, workspace: Workspace | undefined): ConfigFile | undefined {
  const format = configFormatOf(name);
  if (format === undefined || workspace?.text === undefined || name.length > longestPath) return undefined;
  const folders = name.startsWith('/') ? [''] : [from.slice(0, from.lastIndexOf('/')), ...workspace.roots];
  for (const folder of folders) {
    const path = normal(`${folder}/${name}`);
    const text = workspace.text(path);
    if (text !== undefined) return configFile(path, text, format);
  }
  return undefined;
}

const longestPath = 500;

/** Without `.` and `..` parts. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}
