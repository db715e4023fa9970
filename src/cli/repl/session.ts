// Owns: which conversation a session is, and who answers in it: the daemon or this process. Does not own: what the person
// types.
import { isOkaError, type OkaApi } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { type HostedAgents, hostAgents } from '../terminal/host-agents.ts';
import type { LineEditor } from '../terminal/line-editor.ts';
import { Room } from '../terminal/room.ts';
import { nextSession, sessionsOf } from './session-names.ts';

const SHOWN_MESSAGES = 20;

export interface SessionParts {
  readonly context: Context;
  readonly editor: LineEditor;
  readonly agent: string;
  readonly say: (what: string) => void;
  readonly tell: (error: unknown) => void;
}

/** A person and an agent, in one conversation after the other. */
export class Session {
  readonly #parts: SessionParts;
  #api: OkaApi;
  #host: HostedAgents | undefined;
  #room: Room | undefined;
  /** What was told of the conversation beside what was said in it. */
  #told = new Set<string>();

  private constructor(parts: SessionParts, api: OkaApi) {
    this.#parts = parts;
    this.#api = api;
  }

  /** A session in which nothing is said yet. */
  static async open(parts: SessionParts): Promise<Session> {
    const session = new Session(parts, await parts.context.open());
    await session.#answerHere();
    return session;
  }

  get api(): OkaApi {
    return this.#api;
  }

  get room(): Room | undefined {
    return this.#room;
  }

  /** Whether this process answers for the agents, because no daemon does. */
  get answersHere(): boolean {
    return this.#host !== undefined;
  }

  /** The conversation; it begins with the first thing that is said. */
  async talk(): Promise<Room> {
    if (this.#room) return this.#room;
    const { agent, context } = this.#parts;
    for (;;) {
      const name = nextSession(agent, await this.#api.chat.list());
      try {
        await this.#api.chat.create({ name, by: context.by });
        return await this.enter(name);
      } catch (error) {
        // Another session has just taken that name.
        if (!isOkaError(error, 'chat.exists')) throw error;
      }
    }
  }

  /** The session that was used last, apart from this one. */
  async last(): Promise<{ readonly name: string; readonly at: number } | undefined> {
    const sessions = sessionsOf(this.#parts.agent, await this.#api.chat.list());
    const [found] = sessions.filter(({ name }) => name !== this.#room?.conversation);
    return found && { name: found.name, at: found.lastAt ?? found.createdAt };
  }

  /** Goes on with a conversation. `since`: what stands on the terminal up to that message is not shown again. */
  async enter(conversation: string, since?: number): Promise<Room> {
    await this.#room?.close();
    if (since === undefined) this.#told = new Set();
    const { context, editor, agent, say } = this.#parts;
    const room = new Room({
      context,
      editor,
      api: this.#api,
      conversation,
      to: agent,
      manyVoices: false,
      told: this.#told,
      onLost: (error) => void this.#lost(room, error),
    });
    await room.open(since === undefined ? { limit: SHOWN_MESSAGES } : { since });
    this.#room = room;
    if (since === undefined) say(`session ${conversation}`);
    return room;
  }

  /** Leaves the conversation; the next one begins with what is said next. */
  async leave(): Promise<void> {
    await this.#room?.close();
    this.#room = undefined;
  }

  /** Cancels what is being answered. */
  async cancel(): Promise<void> {
    await this.#room?.cancel();
    if (this.#host === undefined) return;
    // Who lets go of the work here does not wait for what a model still says.
    await this.#host.stop();
    await this.#answerHere();
  }

  /** Finds the daemon anew, or works in this process where none is left. */
  async reconnect(): Promise<void> {
    const room = this.#room;
    await this.leave();
    await this.#host?.stop();
    await this.#parts.context.close();
    this.#api = await this.#parts.context.open();
    await this.#answerHere();
    if (room !== undefined) await this.enter(room.conversation, room.lastShown);
  }

  async close(): Promise<void> {
    await this.#room?.close();
    await this.#host?.stop();
  }

  async #answerHere(): Promise<void> {
    this.#host = await hostAgents(this.#parts.context, this.#api, this.#parts.say);
  }

  /** The conversation is gone, or the daemon that told of it. */
  async #lost(room: Room, error: unknown): Promise<void> {
    if (this.#room !== room) return;
    if (isOkaError(error, 'daemon.unreachable')) {
      await this.reconnect().catch(this.#parts.tell);
      return;
    }
    await this.leave();
    this.#parts.tell(error);
  }
}
