// Owns: a conversation on a terminal: showing what happens in it, saying what the person types, asking what agents ask.
// Does not own: the line that is typed, and what its commands mean.
import { EventEmitter, once } from 'node:events';
import {
  type ChatMessageView,
  type EventView,
  isOkaError,
  type Notice,
  type NotificationView,
  type OkaApi,
  OkaError,
} from '../../api/index.ts';
import type { Context } from '../context.ts';
import { showTime } from '../format.ts';
import { visible } from '../printer.ts';
import { Attendant } from './attendant.ts';
import type { LineEditor } from './line-editor.ts';
import { LiveSpeech } from './live-speech.ts';
import { RoomEvents } from './room-events.ts';
import { showStep } from './show-step.ts';
import { showSpeaker } from './speaker.ts';

const OPEN: readonly string[] = ['queued', 'claimed'];

export interface RoomParts {
  readonly context: Context;
  readonly api: OkaApi;
  readonly editor: LineEditor;
  readonly conversation: string;
  /** Who is told of everything that the person says. */
  readonly to?: string;
  /** Whether messages are shown with their ids and times, and steps of agents left out. */
  readonly manyVoices: boolean;
  /** The notices that stand on the terminal already. */
  readonly told: Set<string>;
  /** The conversation cannot be followed any more; `daemon.unreachable` when the daemon that told of it is gone. */
  readonly onLost: (error: unknown) => void;
}

/** A conversation that a person takes part in. */
export class Room {
  readonly #parts: RoomParts;
  readonly #speech: LiveSpeech;
  readonly #attendant: Attendant;
  readonly #leaving = new AbortController();
  /** Messages that were typed here, and so stand on the terminal already. */
  readonly #own = new Set<number>();
  /** What went wrong last for each agent. */
  readonly #troubles = new Map<string, string>();
  #sending: Promise<unknown> = Promise.resolve();
  #following: Promise<void> = Promise.resolve();
  #lastShown = -1;
  #begunTurns = 0;
  /** Something has happened in a turn here. */
  readonly #news = new EventEmitter();

  constructor(parts: RoomParts) {
    this.#parts = parts;
    this.#speech = new LiveSpeech(parts.context.printer.dataColors);
    this.#attendant = new Attendant({ ...parts, left: this.#leaving.signal });
  }

  get conversation(): string {
    return this.#parts.conversation;
  }

  /** Whether an agent that is seen to be at work here still is: an answer is stored a moment before it stands there. */
  async isAtWork(): Promise<boolean> {
    return this.#speech.speakers.length > 0 && (await this.#openTurns()).length > 0;
  }

  /** How many turns were begun here: another number means that somebody else is at work, or the same one anew. */
  get begunTurns(): number {
    return this.#begunTurns;
  }

  /** The last message that stands on the terminal. */
  get lastShown(): number {
    return this.#lastShown;
  }

  /** Shows what was said last, or after a message, and from then on what is said. */
  async open(first: { readonly limit: number } | { readonly since: number }): Promise<void> {
    const { api, conversation, editor } = this.#parts;
    const { messages, notices } = await api.chat.view({ conversation, ...first });
    for (const message of messages) {
      editor.print(this.#show(message));
      for (const notice of notices) if (notice.message === message.id) this.#notice(notice);
    }
    this.#lastShown = messages.at(-1)?.id ?? ('since' in first ? first.since : -1);
    const events = new RoomEvents(api, conversation, {
      since: this.#lastShown,
      listener: {
        onMessage: (message) => void this.#sending.then(() => this.#hear(message)),
        onNotice: (notice) => this.#notice(notice),
        onWords: (from, text) => this.#speaking(() => this.#speech.hear(from, text)),
        onTurn: (agent) => {
          this.#begunTurns += 1;
          this.#speaking(() => this.#speech.begin(agent));
          this.#news.emit('turn');
        },
        onTurnEnd: (agent, why) => {
          this.#endTurn(agent, why);
          this.#news.emit('turn');
        },
        onParked: () => this.attend(),
        onStep: (agent, event) => {
          this.#step(agent, event);
          this.#news.emit('turn');
        },
      },
    });
    const lost = (error: unknown): void => {
      if (!this.#leaving.signal.aborted) this.#parts.onLost(error);
    };
    this.#following = events.follow(this.#leaving.signal).then(() => lost(daemonGone()), lost);
    for (const { agent, status, run } of await api.chat.trace(conversation))
      if (status === 'claimed' && run !== undefined) this.#speaking(() => this.#speech.begin(agent));
    this.attend();
  }

  /** Says something; who is meant is told. */
  async say(text: string): Promise<void> {
    const { api, conversation, context, to, editor } = this.#parts;
    const request = { conversation, text, by: context.by, ...(to === undefined ? {} : { to: [to] }) };
    const sent = api.chat.send(request);
    // Messages that arrive meanwhile wait until it is known which of them was said here.
    this.#sending = sent.then(
      ({ id }) => this.#own.add(id),
      () => undefined,
    );
    const { notified, unknown, id } = await sent;
    // Who has answered already is not at work any more.
    for (const agent of this.#lastShown > id ? [] : notified) this.#speaking(() => this.#speech.begin(agent));
    if (notified.length === 0 && unknown.length === 0 && to === undefined)
      editor.print(context.printer.dataColors.dim('nobody was mentioned; write @name to ask somebody'));
  }

  /** Cancels what agents work on here. What nobody has begun yet is cancelled when somebody does. */
  async cancel(): Promise<void> {
    while (!this.#leaving.signal.aborted) {
      // Whatever is not there yet will be told of, perhaps while it is looked for.
      const news = once(this.#news, 'turn');
      const open = await this.#openTurns();
      let begun = open.length === 0;
      for (const turn of open) if (await this.#cancelTurn(turn)) begun = true;
      if (begun) return;
      await news;
    }
  }

  async #openTurns(): Promise<readonly NotificationView[]> {
    const { api, conversation } = this.#parts;
    return (await api.chat.trace(conversation)).filter(({ status }) => OPEN.includes(status));
  }

  /** False when its run has not begun. */
  async #cancelTurn({ status, run }: NotificationView): Promise<boolean> {
    const { api, conversation, context } = this.#parts;
    if (status !== 'claimed' || run === undefined) return false;
    try {
      await api.runs.cancel(run, context.by, 'the person cancelled the turn');
    } catch (error) {
      // One that has ended in the meantime needs no more.
      if (!isOkaError(error)) throw error;
      return error.code !== 'engine.unknown_run' && error.code !== 'engine.run_archived';
    }
    // Whoever hosts the agent does not wait for what a model still says.
    await api.chat.notify({ conv_name: conversation, message_id: 0, depth: 0 });
    return true;
  }

  /** Asks what agents wait for; `again`: also what the person put off. */
  attend(again = false): void {
    this.#attendant.attend(again);
  }

  async close(): Promise<void> {
    this.#leaving.abort();
    this.#news.emit('turn');
    this.#parts.editor.show('');
    await this.#following;
  }

  #hear(message: ChatMessageView): void {
    this.#lastShown = Math.max(this.#lastShown, message.id);
    this.#speech.end(message.from);
    if (!this.#own.delete(message.id)) this.#print(this.#show(message));
    this.#parts.editor.show(this.#speech.text());
  }

  /** Prints a notice once. What an agent waits for is asked in the room itself. */
  #notice({ what, message, waiting }: Notice): void {
    const { told, manyVoices } = this.#parts;
    const key = `${message} ${what}`;
    if (waiting || told.has(key)) return;
    told.add(key);
    this.#print(`  · ${manyVoices ? `#${message}: ` : ''}${visible(what)}`);
  }

  #step(agent: string, event: EventView): void {
    const { context, manyVoices } = this.#parts;
    const step = showStep(event, context.printer.dataColors);
    if (step === undefined) return;
    const { rationale = '' } = (event.body ?? {}) as { rationale?: string };
    // What was said before the step is not a part of the answer.
    const said = this.#speech.take(agent, rationale);
    if (manyVoices) return;
    if (said) this.#print(context.printer.dataColors.dim(visible(rationale)));
    this.#print(step);
  }

  #endTurn(agent: string, why: string | undefined): void {
    const { dataColors } = this.#parts.context.printer;
    this.#speaking(() => this.#speech.end(agent));
    if (why === undefined) return;
    const told = this.#troubles.get(agent) === why ? 'the same again' : visible(why).replace(/\.$/, '');
    this.#troubles.set(agent, why);
    this.#print(`${dataColors.red('✗')} ${agent}: ${told}; it is tried once more`);
  }

  #speaking(change: () => void): void {
    change();
    this.#parts.editor.show(this.#speech.text());
  }

  #print(text: string): void {
    if (!this.#leaving.signal.aborted) this.#parts.editor.print(text);
  }

  #show({ id, at, from, content }: ChatMessageView): string {
    const { dataColors } = this.#parts.context.printer;
    if (from === 'user' && !this.#parts.manyVoices) return `${dataColors.cyan('›')} ${visible(content)}`;
    const name = showSpeaker(from, dataColors);
    const facts = this.#parts.manyVoices ? dataColors.dim(`  #${id}  ${showTime(at)}`) : '';
    return `${name}${facts}\n${visible(content)}`;
  }
}

/** A daemon that stops lets go of everybody who only listens. */
function daemonGone(): OkaError {
  return new OkaError(
    'daemon.unreachable',
    'the daemon has stopped; what was said is kept. Start it with: oka up.',
  );
}
