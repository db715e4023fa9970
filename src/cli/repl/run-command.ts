// Owns: running a subcommand inside a session, with the session's own API. Does not own: what subcommands do.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { OkaApi } from '../../api/index.ts';
import { Context, type GlobalOptions } from '../context.ts';
import type { Run } from '../run.ts';

/** How words are understood as commands, and how failures are told. */
export interface CommandLine {
  /** The program as it is needed for these words. */
  programFor(argv: readonly string[], run: Run): Promise<Command>;
  /** Tells what went wrong; answers with the exit code. */
  explainFailure(error: unknown, argv: readonly string[]): number;
}

/** A command's context that shares the API of a session and leaves it open. */
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

/** Runs a subcommand. Never throws: what went wrong is told, and the session goes on. */
export async function runCommand(
  commandLine: CommandLine,
  words: readonly string[],
  session: {
    readonly workspace: string;
    readonly api: OkaApi;
    /** Told of the way to interrupt the command, and at its end of none. */
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
    session.onRunning(() => context.interrupt());
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
