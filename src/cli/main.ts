import { fstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { explainSystemError, isOkaError } from '../api/index.ts';
import { Context, type GlobalOptions } from './context.ts';
import { EXIT, type ExitCode, exitOfError } from './exit-codes.ts';
import { Printer } from './printer.ts';
import type { CommandLine } from './repl/run-command.ts';
import type { Run } from './run.ts';
import { styleHelp } from './style-help.ts';
import { usageError } from './usage-error.ts';

declare const __OKA_VERSION__: string;

const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

type AddCommand = (program: Command, run: Run, commandLine: CommandLine) => void;

/** Commands in the order of the help. Loaded lazily. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  init: async () => (await import('./commands/init.ts')).initCommand,
  do: async () => (await import('./commands/do.ts')).doCommand,
  up: async () => (await import('./commands/daemon.ts')).upCommand,
  down: async () => (await import('./commands/daemon.ts')).downCommand,
  status: async () => (await import('./commands/daemon.ts')).statusCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  web: async () => (await import('./commands/web.ts')).webCommand,
  start: async () => (await import('./commands/start.ts')).startCommand,
  repl: async () => (await import('./commands/repl.ts')).replCommand,
  chat: async () => (await import('./commands/chat.ts')).chatCommand,
  graph: async () => (await import('./commands/graph.ts')).graphCommand,
  memory: async () => (await import('./commands/memory.ts')).memoryCommand,
  maintain: async () => (await import('./commands/maintain.ts')).maintainCommand,
  context: async () => (await import('./commands/context.ts')).contextCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  eval: async () => (await import('./commands/eval.ts')).evalCommand,
  approvals: async () => (await import('./commands/approvals.ts')).approvalsCommand,
  grants: async () => (await import('./commands/grants.ts')).grantsCommand,
  agent: async () => (await import('./commands/agent.ts')).agentCommand,
  model: async () => (await import('./commands/model.ts')).modelCommand,
  tools: async () => (await import('./commands/tools.ts')).toolsCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  policy: async () => (await import('./commands/policy.ts')).policyCommand,
  skills: async () => (await import('./commands/skills.ts')).skillsCommand,
  procedures: async () => (await import('./commands/procedures.ts')).proceduresCommand,
  trust: async () => (await import('./commands/trust.ts')).trustCommand,
  vault: async () => (await import('./commands/vault.ts')).vaultCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  replicate: async () => (await import('./commands/replicate.ts')).replicateCommand,
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  metrics: async () => (await import('./commands/metrics.ts')).metricsCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  logs: async () => (await import('./commands/logs.ts')).logsCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  version: async () => (await import('./commands/version.ts')).versionCommand,
  update: async () => (await import('./commands/update.ts')).updateCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
  complete: async () => (await import('./commands/completion.ts')).completeCommand,
};

/** The called command; all commands if none is called or the name is unknown, for help and suggestions. */
function commandsFor(argv: readonly string[]): Promise<readonly AddCommand[]> {
  const name = commandIn(argv);
  const called = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const asksVersion = name === undefined && argv.some((word) => word === '--version' || word === '-V');
  const needed = called === undefined ? Object.values(COMMANDS) : [called];
  return Promise.all((asksVersion ? [] : needed).map((load) => load()));
}

function commandIn(argv: readonly string[]): string | undefined {
  return argv.find((word, i) => !word.startsWith('-') && argv[i - 1] !== '-C');
}

/** Drops --help for an unknown command, so that the parser reports the unknown name. */
function withoutHelpOfUnknown(argv: readonly string[]): readonly string[] {
  const name = commandIn(argv);
  if (name === undefined || name === 'help' || Object.hasOwn(COMMANDS, name)) return argv;
  return argv.filter((word) => word !== '--help' && word !== '-h');
}

/** No command on a terminal opens a session. */
function opensSession(argv: readonly string[]): boolean {
  if (!argv.every((word, i) => SESSION_OPTIONS.includes(word) || argv[i - 1] === '-C')) return false;
  return [process.stdin, process.stdout, process.stderr].every(({ isTTY }) => isTTY === true);
}

const SESSION_OPTIONS: readonly string[] = ['--resume', '-C'];

/** No command and a pipe or file as standard input: it holds the goal. */
function readsGoal(argv: readonly string[]): boolean {
  if (!argv.every((word, i) => GOAL_OPTIONS.includes(word) || argv[i - 1] === '-C')) return false;
  return process.stdin.isTTY !== true && hasInput();
}

const GOAL_OPTIONS: readonly string[] = ['--json', '--quiet', '--verbose', '--no-input', '-C'];

/** False if standard input is closed or /dev/null, as for programs that cron or a service starts. */
function hasInput(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}

async function programFor(argv: readonly string[], run: Run): Promise<Command> {
  const program = new Command('oka');
  describe(program);
  for (const add of await commandsFor(argv)) add(program, run, { programFor, explainFailure });
  prepare(program);
  return program;
}

/** The program with all commands, for their documentation. */
export function wholeProgram(): Promise<Command> {
  return programFor([], () => Promise.resolve());
}

/** Adds the command that a call without one means. */
function withCommand(argv: readonly string[]): readonly string[] {
  if (opensSession(argv)) return ['repl', ...argv];
  return readsGoal(argv) ? ['do', '-', ...argv] : withoutHelpOfUnknown(argv);
}

/** Runs the command line and resolves to the exit code. */
export async function main(given: readonly string[]): Promise<number> {
  const argv = withCommand(given);
  let exitCode: number = EXIT.ok;
  let program: Command | undefined;
  let folder: string | undefined;
  const run: Run = async (work) => {
    const options = (program as Command).opts<GlobalOptions>();
    const context = new Context(options, folder ?? resolve('.'));
    exitCode = await runInterruptibly(context, work, (error) => explainFailure(error, argv, context.printer));
  };
  // Keep working when the reader closes the pipe, such as `head`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    program = await programFor(argv, run);
    program.on('option:C', (given: string) => {
      folder = resolve(given);
      enterFolder(folder);
    });
    await program.parseAsync(argv as string[], { from: 'user' });
  } catch (error) {
    exitCode = explainFailure(error, argv);
  }
  return exitOfOutputError() ?? exitCode;
}

/** Makes relative paths in the other arguments relative to the folder of -C. A missing folder is reported when it is opened. */
function enterFolder(folder: string): void {
  try {
    process.chdir(folder);
  } catch {
    // Reported later, with the next step.
  }
}

/** Output that could not be written is a failure, except for a closed pipe. */
function exitOfOutputError(): ExitCode | undefined {
  const error = process.stdout.errored as NodeJS.ErrnoException | null;
  if (error === null || error.code === 'EPIPE') return undefined;
  new Printer({ json: false, quiet: false }).problem('✗', `Cannot write the output: ${error.message}`);
  return EXIT.failed;
}

function describe(program: Command): void {
  program
    .description('Run autonomous agents locally: durable, explainable and replayable')
    .version(__OKA_VERSION__, '-V, --version', 'Print the version')
    .option('-C <dir>', 'Work in this folder instead of the current one')
    .option('--json', 'Print one JSON envelope')
    .option('--quiet', 'Print only the result')
    .option('--verbose', 'Also show internal states, reasons and error codes')
    .option('--no-input', 'Never prompt. Runs that need approval wait.')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka init --trust',
        '  oka do "write a brief of this folder to BRIEF.md"',
        '  oka runs list',
        '  oka runs explain <run>',
        '',
        'Exit codes: 0 ok, 1 failed, 2 usage, 3 invalid input, 4 approval needed or denied,',
        '5 budget or timeout, 6 model, 7 integrity, 8 done in part, 9 not proven,',
        '130 and 143 signals',
      ].join('\n'),
    );
}

/** Makes commander throw, so that all errors are printed in one place. */
function prepare(command: Command): void {
  command.configureOutput({ writeErr: () => undefined }).exitOverride((error) => {
    throw error.exitCode === 0 ? error : usageError(error, command);
  });
  command.showSuggestionAfterError(true);
  styleHelp(command);
  for (const child of command.commands) prepare(child);
}

/** How long a command may take to end after it has stopped its work. */
const ENDING_MS = 5_000;

/** A first signal stops the work at its next step, so that it can be resumed; a second one exits at once. */
async function runInterruptibly(
  context: Context,
  work: Parameters<Run>[0],
  explain: (error: unknown) => number,
): Promise<number> {
  let signalled: keyof typeof SIGNAL_EXITS | undefined;
  let ending: NodeJS.Timeout | undefined;
  const exit = (signal: keyof typeof SIGNAL_EXITS): never => {
    context.printer.clearLiveLine();
    context.printer.flush();
    process.exit(SIGNAL_EXITS[signal]);
  };
  const onSignal = (signal: keyof typeof SIGNAL_EXITS): void => {
    if (signalled !== undefined) exit(signal);
    signalled = signal;
    // What still waits then, such as for a server that does not answer, has nothing to lose.
    const endSoon = (): void => {
      ending = setTimeout(() => exit(signal), ENDING_MS);
    };
    context.interrupt().then(endSoon, endSoon);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    const exitCode = await runAndClose(context, work).catch(explain);
    return signalled === undefined ? exitCode : SIGNAL_EXITS[signalled];
  } finally {
    clearTimeout(ending);
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** Closes the context after the work. An error of the work takes precedence over an error of closing. */
async function runAndClose(context: Context, work: Parameters<Run>[0]): Promise<ExitCode> {
  let exitCode: ExitCode;
  try {
    exitCode = (await work(context)) ?? EXIT.ok;
  } catch (error) {
    await context.close().catch(() => undefined);
    throw error;
  }
  try {
    await context.close();
    return exitCode;
  } catch (error) {
    const known = isOkaError(error) ? error : explainSystemError(error);
    if (known === undefined) throw error;
    // The result is already printed, so this is only a warning.
    context.printer.warning(`The command is done, but its files could not be closed. ${known.message}`, {
      code: known.code,
    });
    return EXIT.failed;
  } finally {
    context.printer.flush();
  }
}

function explainFailure(error: unknown, argv: readonly string[], used?: Printer): number {
  const json = argv.includes('--json') || argv.includes('--stream-json');
  const printer = used?.json === json ? used : new Printer({ json, quiet: false });
  printer.flush();
  // Help and version are already printed.
  if (error instanceof CommanderError) return EXIT.ok;
  const known = isOkaError(error) ? error : explainSystemError(error);
  if (known) {
    printer.error(known.toJSON());
    return exitOfError(known.code);
  }
  const message = error instanceof Error ? error.message : String(error);
  printer.error({ code: 'cli.unexpected', message: `Unexpected error: ${message}`, data: {} });
  if (!printer.json && error instanceof Error) printer.output.write(`${error.stack ?? ''}\n`);
  return EXIT.failed;
}
