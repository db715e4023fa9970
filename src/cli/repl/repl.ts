// Owns: a session with an agent at a terminal: which conversation it is, what lines mean, when it ends. Does not own: showing
// a conversation, and what subcommands do.
import type { Command } from 'commander';
import { nearestName, OkaError } from '../../api/index.ts';
import { okaHome } from '../../config/index.ts';
import { showTime } from '../format.ts';
import { NAMED_THINGS } from '../named-things.ts';
import { visible } from '../printer.ts';
import { LineEditor } from '../terminal/line-editor.ts';
import { splitWords } from '../terminal/split-words.ts';
import { completeLine, type NameSources } from './complete-line.ts';
import { HistoryFile } from './history-file.ts';
import { requireTrust } from './require-trust.ts';
import { type CommandLine, runCommand } from './run-command.ts';
import { Session } from './session.ts';
import type { TalkContext } from './talk-context.ts';
import { NOT_HERE, OWN_COMMANDS, teach } from './teach.ts';

type Signal = 'SIGTERM' | 'SIGHUP' | 'SIGINT';

export interface ReplOptions {
  readonly agent: string;
  readonly resume: boolean;
}

/** A person at a terminal who talks with an agent. */
export class Repl {
  readonly #context: TalkContext;
  readonly #commandLine: CommandLine;
  readonly #options: ReplOptions;
  readonly #history = new HistoryFile(okaHome());
  readonly #editor: LineEditor;
  #session: Promise<Session>;
  #program: Promise<Command> | undefined;
  #interruptCommand: (() => void) | undefined;
  /** Lines are attended to one after the other. */
  #work: Promise<void>;
  /** The turn that the person has cancelled; it may take a while to end. */
  #cancelledTurn: number | undefined;
  #wantsOut = false;
  #leave: (signal?: Signal) => void = () => undefined;
  readonly #left = new Promise<Signal | undefined>((resolve) => {
    this.#leave = resolve;
  });

  private constructor(context: TalkContext, commandLine: CommandLine, options: ReplOptions) {
    this.#context = context;
    this.#commandLine = commandLine;
    this.#options = options;
    const { dataColors } = context.printer;
    this.#editor = new LineEditor({
      input: process.stdin,
      output: process.stdout,
      prompt: `${dataColors.cyan('›')} `,
      promptWithin: `${dataColors.dim('…')} `,
      history: this.#history.load(),
      complete: (line) => this.#complete(line),
      onText: (text) => {
        this.#work = this.#work.then(() => this.#take(text)).catch((error: unknown) => this.#tell(error));
      },
      onInterrupt: () => void this.#interrupt().catch((error: unknown) => this.#tell(error)),
      onEnd: () => this.#leave(),
    });
    context.tellBy((what) => this.#editor.print(what));
    this.#session = Session.open({
      context,
      editor: this.#editor,
      agent: options.agent,
      say: (what) => this.#say(what),
      tell: (error) => this.#tell(error),
    });
    this.#work = this.#begin();
  }

  /** Talks with the person until they leave; answers with the signal if one made them. */
  static async run(
    context: TalkContext,
    commandLine: CommandLine,
    options: ReplOptions,
  ): Promise<Signal | undefined> {
    const api = await context.open();
    await requireTrust(context, commandLine, api);
    await api.agents.show(options.agent);
    const repl = new Repl(context, commandLine, options);
    const onSignal = (signal: Signal): void => {
      if (signal === 'SIGINT' && repl.#interruptCommand) repl.#interruptCommand();
      else repl.#leave(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGHUP', onSignal).on('SIGINT', onSignal);
    try {
      await repl.#work;
      return await repl.#left;
    } finally {
      // Whoever does not want to wait for the end can say so.
      process.off('SIGTERM', onSignal).off('SIGHUP', onSignal).off('SIGINT', onSignal);
      await repl.#end();
    }
  }

  async #begin(): Promise<void> {
    const { agent, resume } = this.#options;
    const session = await this.#session;
    await this.#greet(session);
    const last = await session.last();
    if (resume && last) await session.enter(last.name);
    else if (resume) this.#say(`there is no session with ${agent} yet; say something, and one begins`);
    else if (last)
      this.#say(`the last session, ${last.name}, is of ${showTime(last.at)} UTC; go on with it: /resume`);
  }

  async #greet({ api }: Session): Promise<void> {
    const { agent } = this.#options;
    const { dataColors } = this.#context.printer;
    this.#editor.print(
      `${dataColors.bold('Oka')} ${dataColors.dim(`· ${agent} answers · /help teaches · Ctrl-D leaves`)}`,
    );
    const { provider } = await api.agents.show(agent);
    if (provider === undefined && (await api.models.configured()).length === 0)
      this.#say(
        `no model is configured, so ${agent} works on goals by rules; choose one with: /init --model <provider/model>`,
      );
  }

  async #end(): Promise<void> {
    const { agent } = this.#options;
    this.#editor.close();
    const session = await this.#session;
    if (await session.room?.isAtWork().catch(() => true))
      this.#say(
        session.answersHere
          ? `${agent} has not finished and is let go; it goes on with: oka --resume, or oka up`
          : `${agent} goes on; see: oka --resume`,
      );
    await session.close();
  }

  async #take(text: string): Promise<void> {
    this.#wantsOut = false;
    this.#cancelledTurn = undefined;
    this.#history.add(text);
    if (text.trim() === '') return;
    if (text.startsWith('/')) await this.#command(text.slice(1));
    else await (await (await this.#session).talk()).say(text);
  }

  async #command(line: string): Promise<void> {
    const words = splitWords(line);
    const [name = '', ...rest] = words;
    switch (name) {
      case 'exit':
      case 'quit':
        return this.#leave();
      case 'clear':
        return this.#editor.clearScreen();
      case 'new':
        await (await this.#session).leave();
        return this.#say('a new session begins with what you say next');
      case 'resume':
        return this.#resume(rest[0]);
      case 'approve':
        return (await this.#session).room?.attend(true);
      case 'help':
        if (rest.length === 0)
          return this.#editor.print(teach(this.#options.agent, await this.#loadProgram()));
        return this.#subcommand([...rest, '--help']);
      default:
        return this.#subcommand(words);
    }
  }

  async #resume(named: string | undefined): Promise<void> {
    const session = await this.#session;
    const name = named ?? (await session.last())?.name;
    if (name === undefined) this.#say(`there is no other session with ${this.#options.agent}`);
    else await session.enter(name);
  }

  async #subcommand(words: readonly string[]): Promise<void> {
    const program = await this.#loadProgram();
    const [name = ''] = words;
    const known = program.commands.map((one) => one.name());
    if (!known.includes(name)) {
      const near = nearestName(name, [...known, ...Object.keys(OWN_COMMANDS)]);
      const hint = near === undefined ? 'See: /help.' : `Did you mean /${near}?`;
      throw new OkaError(
        'cli.usage',
        `there is no command /${visible(name)}. ${hint} To say it to ${this.#options.agent}, put a space before it.`,
      );
    }
    if (NOT_HERE.some((one) => words.join(' ').startsWith(one)))
      throw new OkaError(
        'cli.usage',
        `oka ${words.join(' ')} needs a terminal of its own; run it outside of this session.`,
      );
    const session = await this.#session;
    await this.#editor.lend(() =>
      runCommand(this.#commandLine, words, {
        workspace: this.#context.workspace,
        api: session.api,
        onRunning: (interrupt) => {
          this.#interruptCommand = interrupt;
        },
      }),
    );
    if (name === 'up' || name === 'down') await session.reconnect();
  }

  async #interrupt(): Promise<void> {
    const session = await this.#session;
    const { room } = session;
    if (room && (await room.isAtWork()) && room.begunTurns !== this.#cancelledTurn) {
      this.#cancelledTurn = room.begunTurns;
      this.#say('cancelled');
      await session.cancel();
    } else if (!this.#editor.isEmpty) this.#editor.clear();
    else if (this.#wantsOut) this.#leave();
    else {
      this.#wantsOut = true;
      this.#say('Ctrl-C again leaves');
    }
  }

  /** All commands, loaded when they are first needed. */
  #loadProgram(): Promise<Command> {
    this.#program ??= this.#commandLine.programFor([], async () => undefined);
    return this.#program;
  }

  async #complete(line: string): Promise<readonly [readonly string[], string]> {
    const { api } = await this.#session;
    const names: NameSources = async (kind) => (await NAMED_THINGS[kind](api)).map(({ name }) => name);
    return completeLine(line, await this.#loadProgram(), names, Object.keys(OWN_COMMANDS));
  }

  #say(what: string): void {
    this.#editor.print(this.#context.printer.dataColors.dim(visible(what)));
  }

  #tell(error: unknown): void {
    const { dataColors } = this.#context.printer;
    this.#editor.print(`${dataColors.red('✗')} ${visible((error as Error).message)}`);
  }
}
