// Owns: running a subcommand inside a session, with the API of the session.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isOkaError, type OkaApi, OkaError } from '../../api/index.ts';
import { Context, type GlobalOptions } from '../context.ts';
import type { Run } from '../run.ts';

export interface CommandLine {
  /** Builds the program with the commands that these words need. */
  programFor(argv: readonly string[], run: Run): Promise<Command>;
  /** Prints the error and returns the exit code. */
  explainFailure(error: unknown, argv: readonly string[]): number;
}

/** Shares the API of the session and leaves it open. */
class SessionContext extends Context {
  readonly #api: OkaApi;

  constructor(options: GlobalOptions, workspace: string, api: OkaApi) {
    super(options, workspace);
    this.#api = api;
  }

  override open(): Promise<OkaApi> {
    return Promise.resolve(this.#api);
  }
}

/** Runs a subcommand. Prints errors instead of throwing, so that the session continues. */
export async function runCommand(
  commandLine: CommandLine,
  words: readonly string[],
  session: {
    readonly workspace: string;
    readonly api: OkaApi;
    /** Receives the interrupt function of the running command, and undefined at its end. */
    readonly onRunning: (interrupt: (() => void) | undefined) => void;
  },
): Promise<void> {
  let program: Command | undefined;
  const run: Run = async (work) => {
    const options = program?.opts<GlobalOptions>() ?? {};
    const elsewhere = options.C === undefined ? undefined : resolve(session.workspace, options.C);
    const context =
      elsewhere === undefined
        ? new SessionContext(options, session.workspace, session.api)
        : new Context(options, elsewhere);
    session.onRunning(() => void context.interrupt());
    try {
      await work(context);
    } finally {
      session.onRunning(undefined);
      await context.close();
    }
  };
  try {
    program = await commandLine.programFor(words, run);
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    commandLine.explainFailure(error, words);
  }
}

/** Offers to create and trust the workspace; throws if it stays untrusted. Returns whether it created the workspace. */
export async function requireTrust(
  context: Context,
  commandLine: CommandLine,
  api: OkaApi,
): Promise<boolean> {
  const ask = (): Promise<void> =>
    runCommand(commandLine, ['init'], { workspace: context.workspace, api, onRunning: () => undefined });
  const isWorkspace = await api.chat.list().then(
    () => true,
    (error: unknown) => {
      if (isOkaError(error, 'config.no_workspace')) return false;
      throw error;
    },
  );
  if (!isWorkspace) await ask();
  if ((await api.init({ trust: false })).trusted) return !isWorkspace;
  if (isWorkspace) await ask();
  if (isWorkspace && (await api.init({ trust: false })).trusted) return false;
  throw new OkaError(
    'config.not_trusted',
    `${context.workspace} is not trusted, so agents cannot work in it. To trust it: oka init --trust.`,
    { data: { workspace: context.workspace } },
  );
}
