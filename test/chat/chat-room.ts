// Conversations in a workspace of the test's own, with agents whose models are scripted, hosted in this process.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { ChatMessageView, NotificationView } from '../../src/api/index.ts';
import { type Clock, systemClock } from '../../src/kernel/index.ts';
import { Oka, type OkaOptions } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { trustFolder } from '../support/trust-folder.ts';

/** A turn of a scripted model. */
export type ScriptTurn = Readonly<Record<string, unknown>>;

/** An agent of a test: the answers of its model, and other fields of its file. */
export interface TestAgent {
  readonly turns: readonly ScriptTurn[];
  readonly tools?: readonly string[];
  readonly budgets?: Readonly<Record<string, number>>;
  /** Asks the default model of the workspace instead of a script. */
  readonly usesDefault?: true;
}

export const ROOM = 'room';

/** Writes a workspace that is trusted, with agents. */
export function writeRoom(
  root: string,
  home: string,
  agents: Readonly<Record<string, TestAgent>>,
  config: unknown = {},
): void {
  new WorkspaceFolder(root).create();
  trustFolder(home, root);
  const put = (path: string, content: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  put('.oka/config.json', JSON.stringify(config));
  for (const [name, { turns, tools, budgets, usesDefault }] of Object.entries(agents)) {
    put(`scripts/${name}.json`, JSON.stringify({ turns }));
    const more = [
      ...(usesDefault ? [] : ['provider: scripted', `script: scripts/${name}.json`]),
      ...(tools === undefined ? [] : [`tools: ${JSON.stringify(tools)}`]),
      ...(budgets === undefined ? [] : [`budgets: ${JSON.stringify(budgets)}`]),
    ];
    put(
      `.oka/agents/${name}.md`,
      `---\nname: ${name}\n${more.map((line) => `${line}\n`).join('')}---\nYou are ${name}.\n`,
    );
  }
}

/** Fast enough that no test waits long, and slow enough that a turn does not time out on a busy machine. */
const HURRY = 25;

/** A clock that runs many times faster than the real one. */
export function hurriedClock(): Clock {
  const begin = systemClock.now();
  const now = (): number => begin + (systemClock.now() - begin) * HURRY;
  return {
    now,
    callAt: (at, callback, options) =>
      systemClock.callAt(systemClock.now() + Math.max(0, at - now()) / HURRY, callback, options),
  };
}

export interface RoomOptions extends Partial<OkaOptions> {
  readonly config?: unknown;
  /** The user's own configuration. */
  readonly userConfig?: unknown;
}

/** One conversation, and hosts that answer in it until the test stops them. */
export class ChatRoom {
  readonly oka: Oka;
  readonly root: string;
  readonly home: string;
  readonly troubles: string[] = [];
  readonly outcomes: string[] = [];
  #stop = new AbortController();
  #hosting: Promise<void> = Promise.resolve();
  #onTurn: () => void = () => undefined;

  private constructor(root: string, home: string, options: Partial<OkaOptions>) {
    this.root = root;
    this.home = home;
    this.oka = new Oka({
      workspace: root,
      home,
      onWarning: ({ message }) => this.troubles.push(message),
      ...options,
    });
  }

  static async open(
    agents: Readonly<Record<string, TestAgent>>,
    options: RoomOptions = {},
  ): Promise<ChatRoom> {
    const { config, userConfig, ...more } = options;
    const root = tempFolder();
    const home = join(tempFolder(), 'home');
    writeRoom(root, home, agents, config);
    if (userConfig !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify(userConfig));
    const room = new ChatRoom(root, home, more);
    onTestFinished(() => room.close());
    await room.oka.chat.create({ name: ROOM, by: 'ann' });
    return room;
  }

  async close(): Promise<void> {
    await this.stopHosting();
    await this.oka.close();
  }

  host(agents?: readonly string[]): void {
    this.#stop = new AbortController();
    this.#hosting = this.oka.chat.host({
      ...(agents === undefined ? {} : { agents }),
      signal: this.#stop.signal,
      onTurn: ({ outcome }) => {
        this.outcomes.push(outcome);
        this.#onTurn();
      },
    });
  }

  async stopHosting(): Promise<void> {
    this.#stop.abort();
    await this.#hosting;
  }

  /** Resolves when one more turn has ended. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTurn = resolve;
    });
  }

  send(text: string): ReturnType<Oka['chat']['send']> {
    return this.oka.chat.send({ conversation: ROOM, text, by: 'ann' });
  }

  /** Resolves when no turn is open. */
  async rest(): Promise<void> {
    let first = true;
    for await (const { type } of this.oka.ledger.tail({ follow: true, last: 1 })) {
      if (!first && !type.startsWith('turn.') && !type.startsWith('message.')) continue;
      first = false;
      const [room] = await this.oka.chat.list();
      if (room === undefined || room.open === 0) return;
    }
  }

  async messages(): Promise<readonly ChatMessageView[]> {
    return (await this.oka.chat.view({ conversation: ROOM })).messages;
  }

  async texts(): Promise<readonly string[]> {
    return (await this.messages()).map(({ from, content }) => `${from}: ${content}`);
  }

  async notices(): Promise<readonly string[]> {
    return (await this.oka.chat.view({ conversation: ROOM })).notices.map(({ what }) => what);
  }

  trace(): Promise<readonly NotificationView[]> {
    return this.oka.chat.trace(ROOM);
  }

  /** Verifies the ledger, and that tables rebuilt from its events are the same. */
  async expectSound(): Promise<void> {
    expect(await this.oka.ledger.verify({ full: true })).toMatchObject({ faults: [] });
  }
}

/** Agents that pass a counter on to the next one: each adds one, up to the last. */
export function counting(names: readonly string[], last: number): Record<string, TestAgent> {
  const turns = Array.from({ length: last }, (_, i): ScriptTurn => {
    const [count, next] = [i + 1, names[(i + 1) % names.length] as string];
    return {
      when: `/\\bhop ${count}\\b/`,
      text: count === last ? 'That was the last.' : `@${next} hop ${count + 1}`,
    };
  });
  return Object.fromEntries(names.map((name) => [name, { turns }]));
}

/** Resolves when a run has begun. */
export async function started(room: ChatRoom): Promise<void> {
  for await (const { type } of room.oka.ledger.tail({ follow: true, last: 100 }))
    if (type === 'evidence.recalled') return;
}
