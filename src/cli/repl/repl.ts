// Owns: a session with an agent on a terminal: its conversation, its commands, its end. Does not own: showing a conversation,
// and subcommands.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { nearestName, systemClock } from '../../api/index.ts';
import { okaHome } from '../../config/index.ts';
import type { Context } from '../context.ts';
import { usageProblem } from '../context.ts';
import { showTime } from '../format.ts';
import { NAMED_THINGS } from '../named-things.ts';
import { Printer, visible } from '../printer.ts';
import { cameReminders } from '../show-status.ts';
import { LineEditor } from '../terminal/line-editor.ts';
import { splitWords } from '../terminal/split-words.ts';
import { chooseCarried } from './compact-session.ts';
import { completeLine, type NameSources } from './complete-line.ts';
import { HistoryFile } from './history-file.ts';
import { type CommandLine, requireTrust, runCommand } from './run-command.ts';
import { Session } from './session.ts';
import {
  type CommandPlace,
  costOf,
  describeStop,
  diffOf,
  exportSession,
  undoLast,
} from './session-commands.ts';
import { EXCLUDED_COMMANDS, SESSION_COMMANDS, sessionHelp } from './session-help.ts';
import { type SessionFacts, showGreeting, showStatusLine } from './session-text.ts';

declare const __OKA_VERSION__: string;

type Signal = 'SIGTERM' | 'SIGHUP' | 'SIGINT';

export interface ReplOptions {
  readonly agent: string;
  readonly resume: boolean;
}

/** Commands that can change the model of the agent. */
const MODEL_COMMANDS: readonly string[] = ['model', 'init', 'agent', 'config'];

/** Prints messages above the input line. */
class ReplPrinter extends Printer {
  readonly #print: (text: string) => void;

  constructor(print: (text: string) => void) {
    super({ json: false, quiet: false });
    this.#print = print;
  }

  override message(text: string): void {
    this.#print(text);
  }
}

export class Repl {
  readonly #context: Context;
  readonly #commandLine: CommandLine;
  readonly #options: ReplOptions;
  readonly #history = new HistoryFile(okaHome());
  readonly #editor: LineEditor;
  #session: Promise<Session>;
  #program: Promise<Command> | undefined;
  #interruptCommand: (() => void) | undefined;
  /** Handles lines one after the other. */
  #work: Promise<void>;
  /** The cancelled turn, which may take a while to end. */
  #cancelledTurn: number | undefined;
  #exitRequested = false;
  /** Whether this session created the workspace. */
  readonly #isNew: boolean;
  #leave: (signal?: Signal) => void = () => undefined;
  readonly #left = new Promise<Signal | undefined>((resolve) => {
    this.#leave = resolve;
  });

  private constructor(
    context: Context,
    commandLine: CommandLine,
    options: ReplOptions & { readonly isNew: boolean },
  ) {
    this.#context = context;
    this.#isNew = options.isNew;
    this.#commandLine = commandLine;
    this.#options = options;
    const { dataColors } = context.printer;
    this.#editor = new LineEditor({
      input: process.stdin,
      output: process.stdout,
      prompt: `${dataColors.cyan('›')} `,
      continuationPrompt: `${dataColors.dim('…')} `,
      styleStatus: dataColors.dim,
      history: this.#history.load(),
      complete: (line) => this.#complete(line),
      onText: (text) => {
        this.#work = this.#work
          .then(() => this.#handle(text))
          .catch((error: unknown) => this.#printError(error));
      },
      onInterrupt: () => void this.#interrupt().catch((error: unknown) => this.#printError(error)),
      onEnd: () => this.#leave(),
    });
    context.usePrinter(new ReplPrinter((text) => this.#editor.print(text)));
    this.#session = Session.open({
      context,
      editor: this.#editor,
      agent: options.agent,
      onNote: (what) => this.#printNote(what),
      onUsage: () => void this.#showStatus().catch(() => undefined),
      onError: (error) => this.#printError(error),
    });
    this.#work = this.#begin();
  }

  /** Runs until the user leaves. Returns the signal that ended the session, if any. */
  static async run(
    context: Context,
    commandLine: CommandLine,
    options: ReplOptions,
  ): Promise<Signal | undefined> {
    const api = await context.open();
    const isNew = await requireTrust(context, commandLine, api);
    await api.agents.show(options.agent);
    const repl = new Repl(context, commandLine, { ...options, isNew });
    const onSignal = (signal: Signal): void => {
      if (signal === 'SIGINT' && repl.#interruptCommand) repl.#interruptCommand();
      else repl.#leave(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGHUP', onSignal).on('SIGINT', onSignal);
    try {
      await repl.#work;
      return await repl.#left;
    } finally {
      // From here on a signal ends the process at once.
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
    else if (resume) this.#printNote(`No session with ${agent} yet. Your first message starts one`);
    else if (last)
      this.#printNote(`Last session: ${last.name}, ${showTime(last.at)} UTC. To continue it: /resume`);
  }

  async #greet({ api }: Session): Promise<void> {
    const facts = await this.#facts();
    const { procedures } = facts.model === undefined ? await api.procedures.list() : { procedures: [] };
    const localWork = procedures.filter(({ origin }) => origin === 'built_in').length;
    const { dataColors: colors } = this.#context.printer;
    const options = { version: __OKA_VERSION__, isNew: this.#isNew, localWork, colors };
    this.#editor.print(showGreeting(facts, options));
    this.#printNote('/help · Ctrl-D to leave');
    for (const came of cameReminders(await api.graphs.schedules.list(), systemClock.now()))
      this.#printNote(`Reminder: ${came}`);
    await this.#showStatus();
  }

  async #facts(): Promise<SessionFacts> {
    const { agent } = this.#options;
    const { api } = await this.#session;
    const { answeredBy } = await api.agents.show(agent);
    return { agent, model: answeredBy, folder: basename(this.#context.workspace) };
  }

  async #showStatus(): Promise<void> {
    const { api, room } = await this.#session;
    const usage = room === undefined ? undefined : await api.chat.usage(room.conversation);
    this.#editor.showStatus(showStatusLine(await this.#facts(), usage));
  }

  async #end(): Promise<void> {
    const { agent } = this.#options;
    this.#editor.close();
    const session = await this.#session;
    if (await session.room?.hasActiveTurn().catch(() => true))
      this.#printNote(
        session.hostsAgents
          ? `${agent} has not finished. To continue: oka --resume, or oka up`
          : `${agent} continues in the daemon. To see it: oka --resume`,
      );
    await session.close();
  }

  async #handle(text: string): Promise<void> {
    this.#exitRequested = false;
    this.#cancelledTurn = undefined;
    this.#history.add(text);
    if (text.trim() === '') return;
    if (text.startsWith('/')) await this.#command(text.slice(1));
    else await (await (await this.#session).openRoom()).say(text);
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
        return this.#printNote('Your next message starts a new session');
      case 'resume':
        return this.#resume(rest[0]);
      case 'approve':
        return (await this.#session).room?.promptApprovals(true);
      case 'cost':
        return this.#onConversation(costOf);
      case 'diff':
        return this.#onConversation(diffOf);
      case 'undo':
        return this.#onConversation(undoLast);
      case 'export':
        return this.#onConversation((place) =>
          this.#editor.withTerminal(() => exportSession(place, rest[0])),
        );
      case 'compact':
        return this.#compact();
      case 'help':
        if (rest.length === 0)
          return this.#editor.print(sessionHelp(this.#options.agent, await this.#loadProgram()));
        return this.#subcommand([...rest, '--help']);
      default:
        return this.#subcommand(words);
    }
  }

  async #resume(named: string | undefined): Promise<void> {
    const session = await this.#session;
    const name = named ?? (await session.last())?.name;
    if (name === undefined) this.#printNote(`No other session with ${this.#options.agent}`);
    else await session.enter(name);
  }

  /** Prints the result of a command about the conversation of this session. */
  async #onConversation(work: (place: CommandPlace) => Promise<string>): Promise<void> {
    const { room, api } = await this.#session;
    if (room === undefined) return this.#printNote('Nothing was said in this session yet.');
    const { conversation } = room;
    this.#editor.print(await work({ context: this.#context, api, conversation }));
  }

  async #compact(): Promise<void> {
    const session = await this.#session;
    const { room, api } = session;
    if (room === undefined) return this.#printNote('Nothing was said in this session yet.');
    const { conversation } = room;
    const carried = await chooseCarried(api, room, (await this.#facts()).model !== undefined);
    await session.carryOver(conversation, carried.messages);
    this.#printNote(`It carries ${carried.what}. Back to the whole session: /resume ${conversation}`);
  }

  async #subcommand(words: readonly string[]): Promise<void> {
    const program = await this.#loadProgram();
    const [name = ''] = words;
    const known = program.commands.map((one) => one.name());
    if (!known.includes(name)) {
      const near = nearestName(name, [...known, ...Object.keys(SESSION_COMMANDS)]);
      const hint = near === undefined ? 'See: /help.' : `Did you mean /${near}?`;
      throw usageProblem(
        `Unknown command /${visible(name)}. ${hint} To send it to ${this.#options.agent}, put a space before it.`,
      );
    }
    if (EXCLUDED_COMMANDS.some((one) => words.join(' ').startsWith(one)))
      throw usageProblem(`oka ${words.join(' ')} needs its own terminal. Run it outside of this session.`);
    const session = await this.#session;
    await this.#editor.withTerminal(() =>
      runCommand(this.#commandLine, words, {
        workspace: this.#context.workspace,
        api: session.api,
        onRunning: (interrupt) => {
          this.#interruptCommand = interrupt;
        },
      }),
    );
    if (name === 'up' || name === 'down') await session.reconnect();
    if (MODEL_COMMANDS.includes(name)) await this.#showStatus();
  }

  async #interrupt(): Promise<void> {
    const session = await this.#session;
    const { room } = session;
    if (room && (await room.hasActiveTurn()) && room.startedTurns !== this.#cancelledTurn) {
      this.#cancelledTurn = room.startedTurns;
      room.interruptAnswers();
      const [stopped] = await session.cancel();
      this.#printNote(stopped === undefined ? '  Stopped.' : await describeStop(session.api, stopped));
    } else if (!this.#editor.isEmpty) this.#editor.clear();
    else if (this.#exitRequested) this.#leave();
    else {
      this.#exitRequested = true;
      this.#printNote('Press Ctrl-C again to leave');
    }
  }

  #loadProgram(): Promise<Command> {
    this.#program ??= this.#commandLine.programFor([], async () => undefined);
    return this.#program;
  }

  async #complete(line: string): Promise<readonly [readonly string[], string]> {
    const { api } = await this.#session;
    const names: NameSources = async (kind) => (await NAMED_THINGS[kind](api)).map(({ name }) => name);
    return completeLine(line, await this.#loadProgram(), names, Object.keys(SESSION_COMMANDS));
  }

  #printNote(what: string): void {
    this.#editor.print(this.#context.printer.dataColors.dim(visible(what)));
  }

  #printError(error: unknown): void {
    const { dataColors } = this.#context.printer;
    this.#editor.print(`${dataColors.red('✗')} ${visible((error as Error).message)}`);
  }
}
