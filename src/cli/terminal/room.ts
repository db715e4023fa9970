// Owns: a conversation on a terminal: shows events, sends messages, prompts for approvals. Does not own: the input line.
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
import { showStep } from '../timeline.ts';
import { ApprovalPrompter } from './approval-prompter.ts';
import type { LineEditor } from './line-editor.ts';
import { LiveAnswers, showSpeaker } from './live-answers.ts';
import { RoomEvents } from './room-events.ts';

const OPEN: readonly string[] = ['queued', 'claimed'];

export interface RoomParts {
  readonly context: Context;
  readonly api: OkaApi;
  readonly editor: LineEditor;
  readonly conversation: string;
  /** The agent that receives every message. */
  readonly to?: string;
  /** Shows ids and times of messages, and no steps of agents. */
  readonly isGroup: boolean;
  readonly shownNotices: Set<string>;
  /** The conversation can no longer be followed; `daemon.unreachable` if the daemon stopped. */
  readonly onLost: (error: unknown) => void;
}

export class Room {
  readonly #parts: RoomParts;
  readonly #answers: LiveAnswers;
  readonly #prompter: ApprovalPrompter;
  readonly #closing = new AbortController();
  /** Messages typed here, which are already on the terminal. */
  readonly #own = new Set<number>();
  /** The last failure by agent. */
  readonly #failures = new Map<string, string>();
  #sending: Promise<unknown> = Promise.resolve();
  #following: Promise<void> = Promise.resolve();
  #lastShown = -1;
  #startedTurns = 0;
  readonly #turnEvents = new EventEmitter();

  constructor(parts: RoomParts) {
    this.#parts = parts;
    this.#answers = new LiveAnswers(parts.context.printer.dataColors);
    this.#prompter = new ApprovalPrompter({ ...parts, left: this.#closing.signal });
  }

  get conversation(): string {
    return this.#parts.conversation;
  }

  /** Checks the ledger too, because an answer is stored before it is shown. */
  async hasActiveTurn(): Promise<boolean> {
    return this.#answers.agents.length > 0 && (await this.#openTurns()).length > 0;
  }

  /** Number of started turns; identifies the current one. */
  get startedTurns(): number {
    return this.#startedTurns;
  }

  get lastShown(): number {
    return this.#lastShown;
  }

  /** Shows the last messages, or those after one, and then follows the conversation. */
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
        onMessage: (message) => void this.#sending.then(() => this.#showMessage(message)),
        onNotice: (notice) => this.#notice(notice),
        onWords: (from, text) => this.#updateAnswers(() => this.#answers.append(from, text)),
        onTurn: (agent) => {
          this.#startedTurns += 1;
          this.#updateAnswers(() => this.#answers.begin(agent));
          this.#turnEvents.emit('turn');
        },
        onTurnEnd: (agent, why) => {
          this.#endTurn(agent, why);
          this.#turnEvents.emit('turn');
        },
        onParked: () => this.promptApprovals(),
        onStep: (agent, event) => {
          this.#step(agent, event);
          this.#turnEvents.emit('turn');
        },
      },
    });
    const lost = (error: unknown): void => {
      if (!this.#closing.signal.aborted) this.#parts.onLost(error);
    };
    this.#following = events.follow(this.#closing.signal).then(() => lost(daemonStopped()), lost);
    for (const { agent, status, run } of await api.chat.trace(conversation))
      if (status === 'claimed' && run !== undefined) this.#updateAnswers(() => this.#answers.begin(agent));
    this.promptApprovals();
  }

  async say(text: string): Promise<void> {
    const { api, conversation, context, to, editor } = this.#parts;
    const request = { conversation, text, by: context.by, ...(to === undefined ? {} : { to: [to] }) };
    const sent = api.chat.send(request);
    // Messages that arrive meanwhile wait until the id of this one is known.
    this.#sending = sent.then(
      ({ id }) => this.#own.add(id),
      () => undefined,
    );
    const { notified, unknown, id } = await sent;
    // Skip agents that have already answered.
    for (const agent of this.#lastShown > id ? [] : notified)
      this.#updateAnswers(() => this.#answers.begin(agent));
    if (notified.length === 0 && unknown.length === 0 && to === undefined)
      editor.print(context.printer.dataColors.dim('No agent mentioned. Write @name to ask one'));
  }

  /** Cancels all open turns. Waits for queued turns to start, then cancels them. */
  async cancel(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      // Subscribe first, because the event may arrive during the lookup.
      const nextEvent = once(this.#turnEvents, 'turn');
      const open = await this.#openTurns();
      let isCancelled = open.length === 0;
      for (const turn of open) if (await this.#cancelTurn(turn)) isCancelled = true;
      if (isCancelled) return;
      await nextEvent;
    }
  }

  async #openTurns(): Promise<readonly NotificationView[]> {
    const { api, conversation } = this.#parts;
    return (await api.chat.trace(conversation)).filter(({ status }) => OPEN.includes(status));
  }

  /** False if its run has not started. */
  async #cancelTurn({ status, run }: NotificationView): Promise<boolean> {
    const { api, conversation, context } = this.#parts;
    if (status !== 'claimed' || run === undefined) return false;
    try {
      await api.runs.cancel(run, context.by, 'cancelled by the user');
    } catch (error) {
      // Ignore a run that has ended.
      if (!isOkaError(error)) throw error;
      return error.code !== 'engine.unknown_run' && error.code !== 'engine.run_archived';
    }
    // Wake the host, so that it stops waiting for the model.
    await api.chat.notify({ conv_name: conversation, message_id: 0, depth: 0 });
    return true;
  }

  /** Prompts for pending approvals; `again` includes postponed ones. */
  promptApprovals(again = false): void {
    this.#prompter.prompt(again);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#turnEvents.emit('turn');
    this.#parts.editor.show('');
    await this.#following;
  }

  #showMessage(message: ChatMessageView): void {
    this.#lastShown = Math.max(this.#lastShown, message.id);
    this.#answers.end(message.from);
    if (!this.#own.delete(message.id)) this.#print(this.#show(message));
    this.#parts.editor.show(this.#answers.text());
  }

  /** Prints each notice once. The room prompts for approvals itself. */
  #notice({ what, message, waiting }: Notice): void {
    const { shownNotices, isGroup } = this.#parts;
    const key = `${message} ${what}`;
    if (waiting || shownNotices.has(key)) return;
    shownNotices.add(key);
    this.#print(`  · ${isGroup ? `#${message}: ` : ''}${visible(what)}`);
  }

  #step(agent: string, event: EventView): void {
    const { context, isGroup } = this.#parts;
    const step = showStep(event, context.printer.dataColors);
    if (step === undefined) return;
    const { rationale = '' } = (event.body ?? {}) as { rationale?: string };
    // Text streamed before the step is not part of the answer.
    const wasStreamed = this.#answers.take(agent, rationale);
    if (isGroup) return;
    if (wasStreamed) this.#print(context.printer.dataColors.dim(visible(rationale)));
    this.#print(step);
  }

  #endTurn(agent: string, why: string | undefined): void {
    const { dataColors } = this.#parts.context.printer;
    this.#updateAnswers(() => this.#answers.end(agent));
    if (why === undefined) return;
    const reason = this.#failures.get(agent) === why ? 'failed again' : visible(why).replace(/\.$/, '');
    this.#failures.set(agent, why);
    this.#print(`${dataColors.red('✗')} ${agent}: ${reason}. Retrying.`);
  }

  #updateAnswers(change: () => void): void {
    change();
    this.#parts.editor.show(this.#answers.text());
  }

  #print(text: string): void {
    if (!this.#closing.signal.aborted) this.#parts.editor.print(text);
  }

  #show({ id, at, from, content }: ChatMessageView): string {
    const { dataColors } = this.#parts.context.printer;
    if (from === 'user' && !this.#parts.isGroup) return `${dataColors.cyan('›')} ${visible(content)}`;
    const name = showSpeaker(from, dataColors);
    const facts = this.#parts.isGroup ? dataColors.dim(`  #${id}  ${showTime(at)}`) : '';
    return `${name}${facts}\n${visible(content)}`;
  }
}

/** A stopping daemon closes the connections of listeners. */
function daemonStopped(): OkaError {
  return new OkaError(
    'daemon.unreachable',
    'The daemon stopped. The conversation is kept. Start it with: oka up.',
  );
}
