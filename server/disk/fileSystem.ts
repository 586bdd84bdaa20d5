/**
 * All that looking around a file asks of a disk. Node's `fs` is one; a browser has its client's files. Paths are absolute, with
 * `/`. Each call throws for what is not there.
 */
export interface FileSystem {
  readFileSync(path: string, encoding: 'utf8'): string;
  readdirSync(folder: string): readonly string[];
  statSync(path: string): { isFile(): boolean; readonly size: number; readonly mtimeMs: number };
}
