// Owns: what people do with conversations: begin, speak, look, pause. Does not own: the turns of agents, and taking away.
import { didYouMean, type EpochMs, nearestName, OkaError } from '../kernel/index.ts';
import { commitDecided } from '../ledger/index.ts';
import { chatEvent, chatStream, turnStream } from './chat-events.ts';
import type { ChatParts } from './chat-parts.ts';
import { addressed } from './mentions.ts';
import type { ChatRecords, ConversationSummary } from './ports.ts';
import { messageEvent } from './post-message.ts';
import {
  type ChatErrorCode,
  type Conversation,
  DEFAULT_TTL_MS,
  type DropReason,
  type Message,
  type Notification,
  PERSON,
} from './types.ts';

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;
const LONGEST_MESSAGE = 4 * 1024 * 1024;

/** What a conversation looks like: what was said, and what became of mentions that nobody answers. */
export interface ConversationView {
  readonly messages: readonly Message[];
  readonly notices: readonly Notice[];
}

/** Something that a reader should know beside what was said. */
export interface Notice {
  readonly message: number;
  readonly what: string;
  /** An agent waits for an approval or an answer of the person. */
  readonly waiting?: true;
}

export class Conversations {
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  list(): Promise<readonly ConversationSummary[]> {
    return this.#parts.records.conversations(this.#parts.clock.now());
  }

  /** The conversation of that very name; a name that is nearly right is suggested. */
  require(name: string): Promise<Conversation> {
    return requireConversation(this.#parts.records, name);
  }

  async create(name: string, by: string, options: { readonly ttlMs?: number } = {}): Promise<Conversation> {
    if (!NAME.test(name)) {
      throw invalid(
        `"${name}" cannot be the name of a conversation: take letters, digits, _ and -, at most 64, and begin with a letter or digit.`,
        'name',
      );
    }
    const { events, records } = this.#parts;
    const { ttlMs = this.#parts.ttlMs ?? DEFAULT_TTL_MS } = options;
    if (!(ttlMs > 0)) throw invalid('messages must be kept for longer than no time at all.', 'ttl');
    await commitDecided(events, { stream: turnStream(name), actor: by }, async () => {
      const code: ChatErrorCode = 'chat.exists';
      if (await records.conversation(name))
        throw new OkaError(
          code,
          `there is a conversation "${name}" already; go on with: oka chat join ${name}.`,
          {
            data: { conversation: name },
          },
        );
      return { events: [chatEvent('conversation.created', { ttlMs })], answer: undefined };
    });
    return this.require(name);
  }

  /** Stores what a person says, together with who is to be told of it. Answers with its id and who that is. */
  async send(
    name: string,
    text: string,
    by: string,
    options: { readonly to?: readonly string[] } = {},
  ): Promise<{
    readonly id: number;
    readonly notified: readonly string[];
    readonly unknown: readonly string[];
  }> {
    const { agents } = await this.require(name);
    checkText(text);
    const known = await this.#parts.agents.names();
    const found = addressed(text, PERSON, { person: PERSON, agents: known, present: agents });
    const { to: asked = [] } = options;
    const to = {
      agents: [...new Set([...asked.filter((agent) => known.has(agent)), ...found.agents])],
      unknown: [...new Set([...asked.filter((agent) => !known.has(agent)), ...found.unknown])],
    };
    const event = messageEvent({ from: PERSON, text, depth: 0, to }, this.#parts.limits);
    const stream = chatStream(name);
    const [stored] = await this.#parts.events.commit({
      actor: by,
      sync: 'full',
      appends: [{ stream, events: [event] }],
    });
    const id = stored?.index ?? 0;
    await this.#takeBackIfGone(name, id, by);
    return { id, notified: to.agents, unknown: to.unknown };
  }

  /** Somebody may have deleted the conversation meanwhile; then nothing of the message stays. */
  async #takeBackIfGone(name: string, index: number, by: string): Promise<void> {
    const { records, erasure } = this.#parts;
    if (await records.conversation(name)) return;
    await erasure.erase([{ stream: chatStream(name), index }], by, 'the conversation was deleted');
    await this.require(name);
  }

  async view(
    name: string,
    options: { readonly since?: number; readonly limit?: number } = {},
  ): Promise<ConversationView> {
    const conversation = await this.require(name);
    const { records } = this.#parts;
    const after = visibleAfter(conversation, this.#parts.clock.now());
    const messages = await records.messages({ conversation: name, after, ...options });
    const shown = new Set(messages.map(({ id }) => id));
    const [first, last] = [messages[0], messages.at(-1)];
    const unanswered = first && last ? await records.unanswered(name, first.id, last.id) : [];
    const notices = unanswered.filter(({ message }) => shown.has(message)).flatMap((one) => noticeOf(one));
    return { messages, notices: [...strangers(messages), ...notices] };
  }

  /** Nothing is taken up from here on; what is being answered is answered. */
  pause(name: string, by: string, options: { readonly cancel?: boolean } = {}): Promise<Conversation> {
    return this.#switch(name, by, true, options);
  }

  resume(name: string, by: string): Promise<Conversation> {
    return this.#switch(name, by, false, {});
  }

  async #switch(
    name: string,
    by: string,
    paused: boolean,
    { cancel }: { readonly cancel?: boolean },
  ): Promise<Conversation> {
    await commitDecided(this.#parts.events, { stream: turnStream(name), actor: by }, async () => {
      const conversation = await this.require(name);
      if (conversation.paused === paused && cancel !== true) return { events: [], answer: undefined };
      const event = paused
        ? chatEvent('conversation.paused', { cancel: cancel ? true : undefined })
        : chatEvent('conversation.resumed', {});
      return { events: [event], answer: undefined };
    });
    return this.require(name);
  }
}

/** Everything said before this is not shown any more. */
export function visibleAfter({ ttlMs }: Pick<Conversation, 'ttlMs'>, now: EpochMs): EpochMs {
  return now - ttlMs;
}

function noticeOf({ status, message, agent, reason, detail, parked }: Notification): Notice[] {
  if (parked) return [{ message, what: `${agent} waits for you; see: oka approvals list`, waiting: true }];
  if (status !== 'dropped' || reason === undefined) return [];
  const what = TOLD.includes(reason) ? 'did not answer' : 'was not told';
  return [{ message, what: `${agent} ${what}: ${reason}${detail === undefined ? '' : ` (${detail})`}` }];
}

/** Reasons to drop what an agent has heard of. */
const TOLD: readonly DropReason[] = ['failed', 'quarantined', 'cancelled'];

/** Each name that nobody has, once. */
function strangers(messages: readonly Message[]): Notice[] {
  const told = new Set<string>();
  return messages.flatMap(({ id, unknown }) =>
    unknown.flatMap((name) => {
      if (told.has(name)) return [];
      told.add(name);
      return [{ message: id, what: `there is no agent "${name}"; see: oka agent list` }];
    }),
  );
}

/** The conversation of that very name; a name that is nearly right is suggested. */
export async function requireConversation(
  records: Pick<ChatRecords, 'conversation' | 'conversations'>,
  name: string,
): Promise<Conversation> {
  const found = await records.conversation(name);
  if (found) return found;
  const names = (await records.conversations(0)).map((one) => one.name);
  const code: ChatErrorCode = 'chat.unknown';
  throw new OkaError(
    code,
    `there is no conversation "${name}". ${didYouMean(nearestName(name, names), `See: oka chat list. To begin it: oka chat new ${name}`)}`,
    { data: { conversation: name } },
  );
}

/** Refuses what cannot be a message: nothing at all, and too much. */
export function checkText(text: string): void {
  if (text.trim() === '') throw invalid('the message is empty; say something.', 'text');
  if (Buffer.byteLength(text) > LONGEST_MESSAGE)
    throw invalid(
      `the message is longer than ${LONGEST_MESSAGE} bytes; put it into a file and mention that.`,
      'text',
    );
}

function invalid(message: string, field: string): OkaError {
  const code: ChatErrorCode = 'chat.invalid';
  return new OkaError(code, message, { data: { field } });
}
