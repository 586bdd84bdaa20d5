import { existsSync } from 'node:fs';
import { bundleFolder, installedVersion } from '../scan/installation.ts';
import { servesAsThread } from '../scan/threads/role.ts';
import type { ExitCode } from './exitCode.ts';
import { readFlags, UsageError } from './flags.ts';
import { budgetHelp, checkHelp, explainHelp, factsHelp, lspHelp, overview, sitesHelp } from './help.ts';
import { endQuietlyOnClosedPipe, print, warn } from './terminal.ts';

interface Command {
  readonly help: string;
  run(args: readonly string[]): Promise<ExitCode>;
}

/** What a command is made of is loaded with it: the rules alone take longer to start than Node does. */
const commands: Readonly<Record<string, Command>> = {
  check: { help: checkHelp, run: async (args) => (await import('./check.ts')).check(args) },
  sites: { help: sitesHelp, run: async (args) => (await import('./sites.ts')).sites(args) },
  budget: { help: budgetHelp, run: async (args) => (await import('./budget.ts')).budget(args) },
  facts: { help: factsHelp, run: async (args) => (await import('./facts.ts')).facts(args) },
  explain: { help: explainHelp, run: async (args) => (await import('./explain.ts')).explain(args) },
  lsp: { help: lspHelp, run: languageServer },
};

if (!servesAsThread()) {
  endQuietlyOnClosedPipe();
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      const isUsage = error instanceof UsageError;
      warn(isUsage || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message));
      process.exitCode = 2;
    },
  );
}

async function main(args: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined) {
    process.stderr.write(overview);
    return 2;
  }
  if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) return printed(overview);
  if (name === '--version' || name === '-V') return printed(`${installedVersion()}\n`);
  if (name.startsWith('-')) throw new UsageError(`unknown flag ${name}`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(unknownCommand(name));
  const isHelp = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length).some(asksForHelp);
  return isHelp ? printed(command.help) : command.run(rest);
}

async function languageServer(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readFlags(args, { stdio: 'switch' });
  if (positionals.length > 0) throw new UsageError(`lsp takes no ${positionals[0]}`);
  if (values.stdio !== true) throw new UsageError('lsp needs --stdio, the only way it speaks');
  const { serveStdio } = await import('../lsp/stdio.ts');
  await serveStdio(bundleFolder);
  return 0;
}

function asksForHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h';
}

function printed(text: string): ExitCode {
  print(text);
  return 0;
}

function unknownCommand(name: string): string {
  return existsSync(name)
    ? `there is no command ${name}; to check it: checkpoint-lens check ${name}`
    : `there is no command ${name}; there are ${Object.keys(commands).join(', ')}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
