import { isOkaError, nearestName, OkaError } from '../api/index.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { hostAgents } from './host-process.ts';
import { visible } from './printer.ts';
import { LineEditor } from './terminal/line-editor.ts';
import { showSpeaker } from './terminal/live-answers.ts';
import { Room } from './terminal/room.ts';

const SHOWN_MESSAGES = 20;

const HELP = `Write @name to ask an agent. Everyone in the conversation sees your messages.
  /who      Show agents and waiting mentions
  /pause    Pause the conversation: mentions wait
  /resume   Resume the conversation
  /approve  Decide postponed approvals
  /leave    Leave; the conversation continues`;
const COMMANDS = ['/who', '/pause', '/resume', '/approve', '/help', '/leave'];

export async function joinRoom(
  context: Context,
  name: string,
  options: { readonly pause?: boolean },
): Promise<ExitCode> {
  if (!context.canPrompt)
    throw new OkaError(
      'cli.usage',
      `Joining needs a terminal. Without one, use: oka chat send ${name} "<text>", and oka chat view ${name} --follow.`,
      { data: { conversation: name } },
    );
  const visit = new RoomVisit(context, name);
  await visit.run(options.pause ?? false);
  return EXIT.ok;
}

class RoomVisit {
  readonly #context: Context;
  readonly #name: string;
  #leave: () => void = () => undefined;
  readonly #left = new Promise<void>((resolve) => {
    this.#leave = resolve;
  });
  #exitRequested = false;
  #room: Room | undefined;
  readonly #shownNotices = new Set<string>();
  #pausedHere = false;

  constructor(context: Context, name: string) {
    this.#context = context;
    this.#name = name;
  }

  async run(pause: boolean): Promise<void> {
    const { chat } = await this.#context.open();
    await chat.view({ conversation: this.#name, limit: 1 });
    if (pause) this.#pausedHere = await this.#pause();
    const { dataColors } = this.#context.printer;
    let work: Promise<void> = Promise.resolve();
    const editor: LineEditor = new LineEditor({
      input: process.stdin,
      output: process.stdout,
      prompt: `${dataColors.dim(this.#name)} ${dataColors.cyan('›')} `,
      continuationPrompt: `${dataColors.dim('…')} `,
      styleStatus: dataColors.dim,
      history: [],
      complete: (line) => this.#complete(line),
      onText: (text) => {
        work = work
          .then(() => this.#room && this.#handle(text, this.#room, editor))
          .catch((error: unknown) =>
            editor.print(`${dataColors.red('✗')} ${visible((error as Error).message)}`),
          );
      },
      onInterrupt: () => this.#interrupt(editor),
      onEnd: () => this.#leave(),
    });
    this.#context.interrupted.addEventListener('abort', () => this.#leave());
    if (this.#context.interrupted.aborted) this.#leave();
    try {
      for (let since: number | undefined, stays = true; stays; ) {
        since = await this.#stay(editor, since);
        stays = since !== undefined;
      }
    } finally {
      editor.close();
    }
  }

  /** Stays until the user leaves. If the daemon stops, returns the last shown message, to reconnect from there. */
  async #stay(editor: LineEditor, since: number | undefined): Promise<number | undefined> {
    const api = await this.#context.open();
    const { dataColors } = this.#context.printer;
    const host = await hostAgents(this.#context, api, (what) =>
      editor.print(dataColors.yellow(visible(what))),
    );
    let onLost = (_error: unknown): void => undefined;
    const lost = new Promise<unknown>((resolve) => {
      onLost = resolve;
    });
    const room = new Room({
      context: this.#context,
      api,
      editor,
      conversation: this.#name,
      isGroup: true,
      shownNotices: this.#shownNotices,
      onLost,
    });
    this.#room = room;
    let failure: unknown;
    try {
      await room.open(since === undefined ? { limit: SHOWN_MESSAGES } : { since });
      if (since === undefined) editor.print(dataColors.dim(await this.#who()));
      failure = await Promise.race([this.#left, lost]);
    } finally {
      await room.close();
      if (failure === undefined && this.#pausedHere)
        await api.chat.resume({ conversation: this.#name, by: this.#context.by });
      await host?.stop();
    }
    if (failure === undefined) return undefined;
    if (!isOkaError(failure, 'daemon.unreachable')) throw failure;
    await this.#context.close();
    return room.lastShown;
  }

  async #handle(text: string, room: Room, editor: LineEditor): Promise<void> {
    this.#exitRequested = false;
    if (text.trim() === '') return;
    if (!text.startsWith('/')) {
      await room.say(text);
      return;
    }
    const { dataColors } = this.#context.printer;
    const commands: Readonly<Record<string, () => Promise<string | undefined> | string | undefined>> = {
      who: () => this.#who(),
      pause: async () => {
        await this.#pause();
        this.#pausedHere = false;
        return `Paused ${this.#name}. Mentions wait`;
      },
      resume: async () => {
        const { chat } = await this.#context.open();
        await chat.resume({ conversation: this.#name, by: this.#context.by });
        this.#pausedHere = false;
        return `Resumed ${this.#name}`;
      },
      approve: () => {
        room.promptApprovals(true);
        return undefined;
      },
      help: () => HELP,
      leave: () => {
        this.#leave();
        return undefined;
      },
    };
    const name = text.slice(1).trim();
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      const near = nearestName(name, Object.keys(commands));
      throw new OkaError(
        'cli.usage',
        `Unknown command /${name}. ${near === undefined ? 'See: /help.' : `Did you mean /${near}?`} To send it as a message, put a space before it.`,
      );
    }
    const output = await command();
    if (output !== undefined) editor.print(dataColors.dim(output));
  }

  /** False if the conversation was already paused. */
  async #pause(): Promise<boolean> {
    const { chat } = await this.#context.open();
    const before = (await chat.list()).find(({ name }) => name === this.#name);
    await chat.pause({ conversation: this.#name, by: this.#context.by });
    return before?.paused !== true;
  }

  async #who(): Promise<string> {
    const { chat, agents } = await this.#context.open();
    const here = (await chat.list()).find(({ name }) => name === this.#name);
    const present = new Set(here?.agents ?? []);
    const others = (await agents.list()).filter(({ name }) => !present.has(name)).map(({ name }) => name);
    const { dataColors } = this.#context.printer;
    return [
      `here: ${[...present].map((name) => showSpeaker(name, dataColors)).join(', ') || 'no agents yet'}`,
      ...(others.length === 0 ? [] : [`available: ${others.join(', ')}`]),
      `${here?.paused ? 'paused' : 'active'}; ${here?.open ?? 0} waiting`,
      '/help',
    ].join(' · ');
  }

  async #complete(line: string): Promise<readonly [readonly string[], string]> {
    const mention = /(?:^|\s)@([\p{L}\p{N}_-]*)$/u.exec(line)?.[1];
    if (mention === undefined)
      return [line.startsWith('/') ? COMMANDS.filter((one) => one.startsWith(line)) : [], line];
    const { agents } = await this.#context.open();
    const names = (await agents.list()).map(({ name }) => name);
    return [names.filter((name) => name.startsWith(mention)).map((name) => `${name} `), mention];
  }

  #interrupt(editor: LineEditor): void {
    if (!editor.isEmpty) editor.clear();
    else if (this.#exitRequested) this.#leave();
    else {
      this.#exitRequested = true;
      editor.print(this.#context.printer.dataColors.dim('Press Ctrl-C again to leave'));
    }
  }
}
