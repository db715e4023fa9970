// Owns: the conversation of a session, and whether the daemon or this process runs its agents. Does not own: input.
import { isOkaError, nextSession, type OkaApi, sessionsOf } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { type HostedAgents, hostAgents } from '../host-process.ts';
import type { LineEditor } from '../terminal/line-editor.ts';
import { Room } from '../terminal/room.ts';
import type { CancelledTurn } from '../terminal/room-turns.ts';

const SHOWN_MESSAGES = 20;

export interface SessionParts {
  readonly context: Context;
  readonly editor: LineEditor;
  readonly agent: string;
  readonly onNote: (what: string) => void;
  /** Usage and cost may have changed. */
  readonly onUsage: () => void;
  readonly onError: (error: unknown) => void;
}

export class Session {
  readonly #parts: SessionParts;
  #api: OkaApi;
  #host: HostedAgents | undefined;
  #room: Room | undefined;
  #shownNotices = new Set<string>();

  private constructor(parts: SessionParts, api: OkaApi) {
    this.#parts = parts;
    this.#api = api;
  }

  static async open(parts: SessionParts): Promise<Session> {
    const session = new Session(parts, await parts.context.open());
    await session.#hostAgents();
    return session;
  }

  get api(): OkaApi {
    return this.#api;
  }

  get room(): Room | undefined {
    return this.#room;
  }

  /** Whether this process runs the agents, because no daemon does. */
  get hostsAgents(): boolean {
    return this.#host !== undefined;
  }

  /** The current conversation; creates it on the first message. */
  async openRoom(): Promise<Room> {
    return this.#room ?? this.enter(await this.#create());
  }

  /** Leaves the current conversation and enters a new one with copies of some of its messages. */
  async carryOver(from: string, messages: readonly number[]): Promise<Room> {
    const to = await this.#create();
    await this.#api.chat.carry({ from, to, messages, by: this.#parts.context.by });
    return this.enter(to);
  }

  /** Creates a conversation with the next free name. */
  async #create(): Promise<string> {
    const { agent, context } = this.#parts;
    for (;;) {
      const name = nextSession(agent, await this.#api.chat.list());
      try {
        await this.#api.chat.create({ name, by: context.by });
        return name;
      } catch (error) {
        // Another session has taken that name.
        if (!isOkaError(error, 'chat.exists')) throw error;
      }
    }
  }

  /** The most recently used other session. */
  async last(): Promise<{ readonly name: string; readonly at: number } | undefined> {
    const sessions = sessionsOf(this.#parts.agent, await this.#api.chat.list());
    const [found] = sessions.filter(({ name }) => name !== this.#room?.conversation);
    return found && { name: found.name, at: found.lastAt ?? found.createdAt };
  }

  /** Opens a conversation. `since` skips messages that are already on the terminal. */
  async enter(conversation: string, since?: number): Promise<Room> {
    await this.#room?.close();
    if (since === undefined) this.#shownNotices = new Set();
    const { context, editor, agent, onNote } = this.#parts;
    const room = new Room({
      context,
      editor,
      api: this.#api,
      conversation,
      to: agent,
      isGroup: false,
      shownNotices: this.#shownNotices,
      onTurnEnd: this.#parts.onUsage,
      onLost: (error) => void this.#lost(room, error),
    });
    await room.open(since === undefined ? { limit: SHOWN_MESSAGES } : { since });
    this.#room = room;
    if (since === undefined) onNote(`Session ${conversation}`);
    this.#parts.onUsage();
    return room;
  }

  /** Leaves the conversation. The next message starts a new one. */
  async leave(): Promise<void> {
    await this.#room?.close();
    this.#room = undefined;
    this.#parts.onUsage();
  }

  /** Stops the current turns. */
  async cancel(): Promise<readonly CancelledTurn[]> {
    const cancelled = (await this.#room?.cancel()) ?? [];
    if (this.#host === undefined) return cancelled;
    // Restarting the host stops waiting for the model.
    await this.#host.stop();
    await this.#hostAgents();
    return cancelled;
  }

  /** Reconnects to the daemon, or continues in this process without one. */
  async reconnect(): Promise<void> {
    const room = this.#room;
    await this.leave();
    await this.#host?.stop();
    await this.#parts.context.close();
    this.#api = await this.#parts.context.open();
    await this.#hostAgents();
    if (room !== undefined) await this.enter(room.conversation, room.lastShown);
  }

  async close(): Promise<void> {
    await this.#room?.close();
    await this.#host?.stop();
  }

  async #hostAgents(): Promise<void> {
    this.#host = await hostAgents(this.#parts.context, this.#api, this.#parts.onNote);
  }

  async #lost(room: Room, error: unknown): Promise<void> {
    if (this.#room !== room) return;
    if (isOkaError(error, 'daemon.unreachable')) {
      await this.reconnect().catch(this.#parts.onError);
      return;
    }
    await this.leave();
    this.#parts.onError(error);
  }
}
