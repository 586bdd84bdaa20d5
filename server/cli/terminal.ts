/** Standard output, for what was asked for. */
export const print = (text: string | Uint8Array): void => {
  process.stdout.write(text);
};

/** Standard error, one line each, for everything a person should know that is not part of the answer. */
export const warn = (line: string): void => {
  process.stderr.write(`checkpoint-lens: ${line}\n`);
};

/** A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours and needs no stack trace. */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}

export async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}
