import type { ExitCode } from './exitCode.ts';
export async function budget(_args: readonly string[]): Promise<ExitCode> {
  return 2;
}
