// Owns: a session with an agent at a terminal: which conversation it is, what lines mean, when it ends. Does not own: showing
// a conversation, and what subcommands do.
import type { Command } from 'commander';
import { isOkaError, nearestName, type OkaApi, OkaError } from '../../api/index.ts';
import { okaHome } from '../../config/index.ts';
import { showTime } from '../format.ts';
import { visible } from '../printer.ts';
import { type HostedAgents, hostAgents } from '../terminal/host-agents.ts';
import { LineEditor } from '../terminal/line-editor.ts';
import { Room } from '../terminal/room.ts';
import { splitWords } from '../terminal/split-words.ts';
import { completeLine, type NameSources } from './complete-line.ts';
import { HistoryFile } from './history-file.ts';
import { type CommandLine, runCommand } from './run-command.ts';
import { nextSession, sessionsOf } from './session-names.ts';
import type { TalkContext } from './talk-context.ts';
import { OWN_COMMANDS, teach } from './teach.ts';

const SHOWN_MESSAGES = 20;
/** Commands that have the terminal to themselves, or that speak on it with another program. */
const NOT_HERE: readonly string[] = ['repl', 'mcp serve'];

export interface ReplOptions {
  readonly agent: string;
  readonly resume: boolean;
}

/** A session with an agent. */
export class Repl {
  readonly #context: TalkContext;
  readonly #commandLine: CommandLine;
  readonly #options: ReplOptions;
  readonly #history = new HistoryFile(okaHome());
  #api: OkaApi;
  #host: HostedAgents | undefined;
  #editor: LineEditor;
  #room: Room | undefined;
  #program: Promise<Command> | undefined;
  #interruptCommand: (() => void) | undefined;
  /** Lines are attended to one after the other. */
  #work: Promise<void> = Promise.resolve();
  #cancelled = false;
  #wantsOut = false;
  #leave: () => void = () => undefined;
  readonly #left = new Promise<void>((resolve) => {
    this.#leave = resolve;
  });

  private constructor(context: TalkContext, commandLine: CommandLine, api: OkaApi, options: ReplOptions) {
    this.#context = context;
    this.#commandLine = commandLine;
    this.#options = options;
    this.#api = api;
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
  }

  /** Talks with the person until they leave. */
  static async run(context: TalkContext, commandLine: CommandLine, options: ReplOptions): Promise<void> {
    const api = await context.open();
    await requireTrust(context, commandLine, api);
    await api.agents.show(options.agent);
    const repl = new Repl(context, commandLine, api, options);
    context.tellBy((what) => repl.#editor.print(what));
    const onSignal = (): void => repl.#leave();
    const onInterrupt = (): void =>
      repl.#interruptCommand === undefined ? repl.#leave() : repl.#interruptCommand();
    process.on('SIGTERM', onSignal).on('SIGHUP', onSignal).on('SIGINT', onInterrupt);
    try {
      await repl.#begin();
      await repl.#left;
    } finally {
      await repl
        .#end()
        .finally(() => process.off('SIGTERM', onSignal).off('SIGHUP', onSignal).off('SIGINT', onInterrupt));
    }
  }

  async #begin(): Promise<void> {
    const { agent, resume } = this.#options;
    await this.#answerHere();
    const [last] = sessionsOf(agent, await this.#api.chat.list());
    await this.#greet();
    if (resume && last) await this.#enter(last.name);
    else if (resume) this.#say(`there is no session with ${agent} yet; say something, and one begins`);
    else if (last)
      this.#say(
        `the last session, ${last.name}, is of ${showTime(last.lastAt ?? last.createdAt)} UTC; go on with it: /resume`,
      );
  }

  async #greet(): Promise<void> {
    const { agent } = this.#options;
    const { dataColors } = this.#context.printer;
    this.#editor.print(
      `${dataColors.bold('Oka')} ${dataColors.dim(`· ${agent} answers · /help teaches · Ctrl-D leaves`)}`,
    );
    const { provider } = await this.#api.agents.show(agent);
    if (provider === undefined && (await this.#api.models.configured()).length === 0)
      this.#say(
        `no model is configured, so ${agent} works on goals by rules; choose one with: /init --model <provider/model>`,
      );
  }

  async #answerHere(): Promise<void> {
    this.#host = await hostAgents(this.#context, this.#api, (what) => this.#say(what));
  }

  async #end(): Promise<void> {
    const { agent } = this.#options;
    const unfinished = this.#room?.isBusy === true;
    this.#editor.close();
    if (unfinished)
      this.#context.printer.message(
        this.#host === undefined
          ? `${agent} goes on; see: oka --resume`
          : `${agent} has not finished and is let go; it goes on with: oka --resume, or oka up`,
      );
    await this.#room?.close();
    await this.#host?.stop();
  }

  async #take(text: string): Promise<void> {
    this.#wantsOut = false;
    this.#cancelled = false;
    this.#history.add(text);
    if (text.trim() === '') return;
    if (text.startsWith('/')) await this.#command(text.slice(1));
    else await (await this.#talk()).say(text);
  }

  /** The conversation of this session; it begins with the first thing that is said. */
  async #talk(): Promise<Room> {
    if (this.#room) return this.#room;
    const { chat } = this.#api;
    for (;;) {
      const name = nextSession(this.#options.agent, await chat.list());
      try {
        await chat.create({ name, by: this.#context.by });
        return await this.#enter(name);
      } catch (error) {
        // Another session has just taken that name.
        if (!isOkaError(error, 'chat.exists')) throw error;
      }
    }
  }

  async #enter(conversation: string, since?: number): Promise<Room> {
    await this.#room?.close();
    const room = new Room({
      context: this.#context,
      api: this.#api,
      editor: this.#editor,
      conversation,
      to: this.#options.agent,
      manyVoices: false,
      onLost: (error) => void this.#lost(room, error),
    });
    await room.open(since === undefined ? { limit: SHOWN_MESSAGES } : { since });
    this.#room = room;
    if (since === undefined) this.#say(`session ${conversation}`);
    return room;
  }

  /** The conversation is gone, or the daemon that told of it. */
  async #lost(room: Room, error: unknown): Promise<void> {
    if (this.#room !== room) return;
    if (isOkaError(error, 'daemon.unreachable')) {
      await this.#reconnect().catch((failure: unknown) => this.#tell(failure));
      return;
    }
    this.#room = undefined;
    await room.close();
    this.#tell(error);
  }

  /** Finds the daemon anew, or works in this process where none is left. */
  async #reconnect(): Promise<void> {
    const room = this.#room;
    await room?.close();
    this.#room = undefined;
    await this.#host?.stop();
    await this.#context.close();
    this.#api = await this.#context.open();
    await this.#answerHere();
    if (room !== undefined) await this.#enter(room.conversation, room.lastShown);
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
        await this.#room?.close();
        this.#room = undefined;
        return this.#say('a new session begins with what you say next');
      case 'resume':
        return this.#resume(rest[0]);
      case 'approve':
        return this.#room?.attend(true);
      case 'help':
        if (rest.length === 0)
          return this.#editor.print(teach(this.#options.agent, await this.#loadProgram()));
        return this.#subcommand([...rest, '--help']);
      default:
        return this.#subcommand(words);
    }
  }

  async #resume(named: string | undefined): Promise<void> {
    const { agent } = this.#options;
    const sessions = sessionsOf(agent, await this.#api.chat.list());
    const [last] = sessions.filter(({ name }) => name !== this.#room?.conversation);
    const name = named ?? last?.name;
    if (name === undefined) this.#say(`there is no other session with ${agent}`);
    else await this.#enter(name);
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
    await this.#editor.lend(() =>
      runCommand(this.#commandLine, words, {
        workspace: this.#context.workspace,
        api: this.#api,
        onRunning: (interrupt) => {
          this.#interruptCommand = interrupt;
        },
      }),
    );
    if (name === 'up' || name === 'down') await this.#reconnect();
  }

  async #interrupt(): Promise<void> {
    if (this.#room?.isBusy && !this.#cancelled) {
      this.#cancelled = true;
      const turns = await this.#room.cancel();
      this.#say(turns === 0 ? 'nobody works on it yet' : 'cancelled; it ends at its next step');
      // Who lets go of the work here does not wait for what a model still says.
      await this.#host?.stop();
      await this.#answerHere();
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
    const names: NameSources = {
      conversation: async () => (await this.#api.chat.list()).map(({ name }) => name),
      agent: async () => (await this.#api.agents.list()).map(({ name }) => name),
      graph: async () => (await this.#api.graphs.list()).map(({ id }) => id),
    };
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

/** A workspace that nobody has made or trusted yet is made and trusted first, if the person wants that. */
async function requireTrust(context: TalkContext, commandLine: CommandLine, api: OkaApi): Promise<void> {
  const ask = (): Promise<void> =>
    runCommand(commandLine, ['init'], { workspace: context.workspace, api, onRunning: () => undefined });
  const isThere = await api.chat.list().then(
    () => true,
    (error: unknown) => {
      if (isOkaError(error, 'config.no_workspace')) return false;
      throw error;
    },
  );
  if (!isThere) await ask();
  if ((await api.init({ trust: false })).trusted) return;
  if (isThere) await ask();
  if (isThere && (await api.init({ trust: false })).trusted) return;
  throw new OkaError(
    'config.not_trusted',
    `${context.workspace} is not trusted, so agents do not work in it; when you trust it: oka init --trust.`,
    { data: { workspace: context.workspace } },
  );
}
