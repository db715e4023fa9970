// Owns: a conversation on a terminal: shows events, sends messages, prompts for approvals. Does not own: the input line.
import { type ChatMessageView, type EventView, type Notice, type OkaApi, OkaError } from '../../api/index.ts';
import { ActionLines } from '../action-lines.ts';
import type { Context } from '../context.ts';
import { FRAME_MS } from '../drawn-line.ts';
import { clip, showTime } from '../format.ts';
import { visible } from '../printer.ts';
import { renderMarkdown } from '../render-markdown.ts';
import { ApprovalPrompter } from './approval-prompter.ts';
import type { LineEditor } from './line-editor.ts';
import { LiveAnswers, showSpeaker } from './live-answers.ts';
import { RoomEvents, type TurnEnd } from './room-events.ts';
import { type CancelledTurn, RoomTurns } from './room-turns.ts';

/** Events after a request to a person, while the run still waits. */
const PARKING: readonly string[] = ['run.released', 'approval.granted', 'run.claimed'];
const MAX_OUTPUT_COLUMNS = 60;
const MAX_ANSWER_WAIT_MS = 2_000;

export interface RoomParts {
  readonly context: Context;
  readonly api: OkaApi;
  readonly editor: LineEditor;
  readonly conversation: string;
  /** The agent that receives every message. Its answers have no name above them. */
  readonly to?: string;
  /** Shows ids and times of messages, and no steps of agents. */
  readonly isGroup: boolean;
  readonly shownNotices: Set<string>;
  /** A turn ended, so usage and cost may have changed. */
  readonly onTurnEnd?: () => void;
  /** The conversation can no longer be followed; `daemon.unreachable` if the daemon stopped. */
  readonly onLost: (error: unknown) => void;
}

export class Room {
  readonly #parts: RoomParts;
  readonly #answers: LiveAnswers;
  readonly #prompter: ApprovalPrompter;
  readonly #actions: ActionLines;
  readonly #closing = new AbortController();
  /** Messages typed here, which are already on the terminal. */
  readonly #own = new Set<number>();
  /** The last failure by agent. */
  readonly #failures = new Map<string, string>();
  /** The models that agents asked last. */
  readonly #models = new Map<string, string>();
  /** Agents whose turns were cancelled here. */
  readonly #cancelled = new Set<string>();
  /** Agents whose turn is done, but whose answer has not arrived yet. */
  readonly #ending = new Set<string>();
  #isFollowing = false;
  #sending: Promise<unknown> = Promise.resolve();
  #following: Promise<void> = Promise.resolve();
  #lastShown = -1;
  #startedTurns = 0;
  #animation: NodeJS.Timeout | undefined;
  readonly #turns: RoomTurns;

  constructor(parts: RoomParts) {
    this.#parts = parts;
    const { api, conversation, context } = parts;
    this.#turns = new RoomTurns({ api, conversation, by: context.by, closing: this.#closing.signal });
    this.#answers = new LiveAnswers(() => this.#markdown());
    this.#actions = new ActionLines(context.printer.dataColors, (line) => this.#print(line));
    this.#prompter = new ApprovalPrompter({ ...parts, left: this.#closing.signal });
  }

  get conversation(): string {
    return this.#parts.conversation;
  }

  /** Checks the ledger too, because an answer is stored before it is shown. */
  async hasActiveTurn(): Promise<boolean> {
    return this.#answers.agents.length > 0 && (await this.#turns.hasOpen());
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
        onWords: (from, text) => this.#words(from, text),
        onActivity: (from, activity) => this.#showActivity(from, activity),
        onTurn: (agent) => {
          this.#startedTurns += 1;
          this.#begin(agent);
          this.#turns.changed();
        },
        onTurnEnd: (agent, end) => {
          this.#endTurn(agent, end);
          this.#turns.changed();
        },
        onParked: (agent, until) => {
          if (until === undefined) this.promptApprovals();
          else this.#wait(agent, until);
          this.#turns.changed();
        },
        onStep: (agent, event) => {
          this.#step(agent, event);
          this.#turns.changed();
        },
      },
    });
    this.#isFollowing = true;
    const lost = (error: unknown): void => {
      if (!this.#closing.signal.aborted) this.#parts.onLost(error);
    };
    this.#following = events.follow(this.#closing.signal).then(() => lost(daemonStopped()), lost);
    for (const { agent, status, run, waiting } of await api.chat.trace(conversation)) {
      if (status !== 'claimed' || run === undefined) continue;
      this.#begin(agent);
      if (waiting !== undefined) this.#wait(agent, waiting.until);
    }
    this.promptApprovals();
  }

  /** Sends a message. Returns its id. */
  async say(text: string): Promise<number> {
    const { api, conversation, context, to, editor } = this.#parts;
    this.#cancelled.clear();
    const request = { conversation, text, by: context.by, ...(to === undefined ? {} : { to: [to] }) };
    const sent = api.chat.send(request);
    // Messages that arrive meanwhile wait until the id of this one is known.
    this.#sending = sent.then(
      ({ id }) => this.#own.add(id),
      () => undefined,
    );
    const { notified, unknown, id } = await sent;
    // Skip agents that have already answered.
    for (const agent of this.#lastShown > id ? [] : notified) this.#begin(agent);
    if (notified.length === 0 && unknown.length === 0 && to === undefined)
      editor.print(context.printer.dataColors.dim('No agent mentioned. Write @name to ask one'));
    return id;
  }

  /** Waits until all turns for a message have ended. False if an agent did not answer. */
  answered(message: number): Promise<boolean> {
    return this.#turns.answered(message);
  }

  /** Prints what the agents have said so far, and ignores the rest of their answers. */
  interruptAnswers(): void {
    for (const agent of this.#answers.agents) {
      this.#cancelled.add(agent);
      const isContinued = this.#answers.isPrinted(agent);
      this.#printPart(agent, this.#answers.interrupt(agent), isContinued);
    }
    this.#draw();
  }

  /** Cancels all open turns. Waits for queued turns to start, then cancels them. */
  cancel(): Promise<readonly CancelledTurn[]> {
    return this.#turns.cancel();
  }

  /** Prompts for pending approvals; `again` includes postponed ones. */
  promptApprovals(again = false): void {
    this.#prompter.prompt(again);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#animation);
    this.#parts.editor.show('');
    await this.#following;
  }

  #markdown() {
    const { editor, context } = this.#parts;
    return { width: editor.columns - 1, colors: context.printer.dataColors };
  }

  #begin(agent: string): void {
    this.#answers.begin(agent);
    this.#draw();
  }

  /** The model is busy: the next attempt begins its answer again. */
  #wait(agent: string, until: number): void {
    if (!this.#cancelled.has(agent)) {
      const isContinued = this.#answers.isPrinted(agent);
      this.#printPart(agent, this.#answers.interrupt(agent), isContinued);
    }
    this.#answers.end(agent);
    this.#answers.setActivity(agent, `waiting until ${showTime(until)} UTC`);
    this.#draw();
  }

  #words(from: string, text: string): void {
    this.#answers.append(from, text);
    if (!this.#parts.isGroup && !this.#cancelled.has(from)) {
      const isContinued = this.#answers.isPrinted(from);
      this.#printPart(from, this.#answers.takeBlocks(from), isContinued);
    }
    this.#draw();
  }

  #showMessage(message: ChatMessageView): void {
    const { from, id, content } = message;
    this.#lastShown = Math.max(this.#lastShown, id);
    this.#ending.delete(from);
    if (this.#own.delete(id)) this.#answers.end(from);
    else if (this.#answers.isPrinted(from)) {
      const rest = this.#answers.finish(from, content);
      if (rest !== '') this.#printPart(from, renderMarkdown(rest, this.#markdown()), true);
      this.#print('');
    } else {
      this.#answers.end(from);
      if (from !== 'user') this.#actions.flush();
      this.#print(this.#show(message));
    }
    this.#draw();
  }

  /** Prints each notice once. The room prompts for approvals and shows how turns end itself. */
  #notice({ what, message, waiting, ended }: Notice): void {
    const { shownNotices, isGroup } = this.#parts;
    const key = `${message} ${what}`;
    if (waiting || shownNotices.has(key)) return;
    shownNotices.add(key);
    if (ended && this.#isFollowing) return;
    this.#print(`  · ${isGroup ? `#${message}: ` : ''}${visible(what)}`);
  }

  #step(agent: string, event: EventView): void {
    if (this.#cancelled.has(agent)) return;
    const running = this.#actions.started(event);
    this.#follow(agent, event, running);
    if (this.#parts.isGroup) return;
    const { rationale = '' } = (event.body ?? {}) as { rationale?: string };
    // Text streamed before a step is not part of the answer.
    const isContinued = this.#answers.isPrinted(agent);
    const before = this.#answers.takeBefore(agent, rationale);
    if (before) this.#printPart(agent, before, isContinued);
    const { yellow } = this.#parts.context.printer.dataColors;
    for (const { what } of event.recoveries ?? []) {
      this.#actions.flush();
      this.#print(`  ${yellow('↻')} ${clip(what, 300)}`);
    }
    this.#actions.take(event);
    this.#draw();
  }

  /** Shows what the agent does after this event. */
  #follow(agent: string, { type }: EventView, running: string | undefined): void {
    // The last events of a run follow its answer.
    if (!this.#answers.agents.includes(agent) || this.#ending.has(agent)) return;
    if (type === 'approval.requested') this.#answers.setActivity(agent, 'waiting for your approval');
    else if (type === 'question.asked') this.#answers.setActivity(agent, 'waiting for your answer');
    else if (running !== undefined) this.#answers.setActivity(agent, running);
    else if (!PARKING.includes(type)) this.#answers.setActivity(agent, this.#waitingFor(agent));
  }

  #showActivity(
    agent: string,
    { model, output = '' }: { readonly model?: string; readonly output?: string },
  ): void {
    if (this.#cancelled.has(agent)) return;
    if (model !== undefined) {
      this.#models.set(agent, model);
      this.#answers.setActivity(agent, this.#waitingFor(agent));
    }
    this.#answers.setDetail(agent, clip(output, MAX_OUTPUT_COLUMNS));
    this.#draw();
  }

  /** The ledger reports the start of a run later than the model that it asks. */
  #waitingFor(agent: string): string {
    const model = this.#models.get(agent);
    return model === undefined ? 'working' : `waiting for ${model}`;
  }

  #endTurn(agent: string, end: TurnEnd): void {
    const { how } = end;
    if (how === 'done') {
      this.#actions.flush();
      this.#awaitAnswer(agent);
    } else {
      const failure = this.#failure(agent, end);
      if (end.why === undefined) this.#actions.flush();
      else this.#actions.dropFailure(end.why);
      if (!this.#cancelled.has(agent)) {
        const isContinued = this.#answers.isPrinted(agent);
        if (how !== 'released') this.#printPart(agent, this.#answers.interrupt(agent), isContinued);
        if (failure !== undefined)
          this.#print(`${this.#parts.context.printer.dataColors.red('✗')} ${failure}`);
      }
      this.#answers.end(agent);
      if (how === 'failed') this.#answers.setActivity(agent, 'waiting to retry');
    }
    this.#draw();
    this.#parts.onTurnEnd?.();
  }

  /** The answer of a finished turn arrives after its end, unless it is empty. */
  #awaitAnswer(agent: string): void {
    this.#failures.delete(agent);
    this.#ending.add(agent);
    const forget = (): void => {
      if (!this.#ending.delete(agent)) return;
      this.#answers.end(agent);
      this.#draw();
    };
    if (this.#answers.hasText(agent)) setTimeout(forget, MAX_ANSWER_WAIT_MS).unref();
    else forget();
  }

  /** Shows each failure once, and whether the agent tries again. Other reasons to end have a notice. */
  #failure(agent: string, { how, reason, why = 'failed' }: TurnEnd): string | undefined {
    if (how === 'released') return undefined;
    if (reason === 'cancelled') return `${agent} was cancelled.`;
    if (how === 'dropped' && reason !== 'failed' && reason !== 'quarantined') return undefined;
    const before = this.#failures.get(agent);
    const sentence = before === why ? 'The same error again' : visible(why).replace(/\.$/, '');
    if (how === 'failed') this.#failures.set(agent, why);
    else this.#failures.delete(agent);
    const next = how === 'failed' ? ' Retrying.' : before === undefined ? '' : ` ${agent} stopped.`;
    return `${this.#parts.isGroup ? `${agent}: ` : ''}${sentence}.${next}`;
  }

  /** Prints a part of an answer: the first part of other agents with their name, a later part after an empty line. */
  #printPart(agent: string, part: string | undefined, isContinued: boolean): void {
    this.#actions.flush();
    if (part === undefined) return;
    const name =
      agent === this.#parts.to ? '' : `${showSpeaker(agent, this.#parts.context.printer.dataColors)}\n`;
    this.#print(`${isContinued ? '\n' : name}${part}`);
  }

  /** Shows the live text, and keeps its spinner moving while an agent works. */
  #draw(): void {
    const { editor, to, isGroup } = this.#parts;
    editor.show(this.#answers.text({ unnamed: isGroup ? undefined : to, detail: this.#actions.pending }));
    const isActive = this.#answers.agents.length > 0 && !this.#closing.signal.aborted;
    if (isActive && this.#animation === undefined) {
      this.#animation = setInterval(() => this.#draw(), FRAME_MS);
      this.#animation.unref();
    } else if (!isActive) {
      clearInterval(this.#animation);
      this.#animation = undefined;
    }
  }

  #print(text: string): void {
    if (!this.#closing.signal.aborted) this.#parts.editor.print(text);
  }

  #show({ id, at, from, content }: ChatMessageView): string {
    const { context, isGroup, to } = this.#parts;
    const { dataColors } = context.printer;
    if (from === 'user' && !isGroup) return `${dataColors.cyan('›')} ${visible(content)}`;
    const text = from === 'user' ? visible(content) : renderMarkdown(content, this.#markdown());
    if (from === to && !isGroup) return `${text}\n`;
    const facts = isGroup ? dataColors.dim(`  #${id}  ${showTime(at)}`) : '';
    return `${showSpeaker(from, dataColors)}${facts}\n${text}`;
  }
}

/** A stopping daemon closes the connections of listeners. */
function daemonStopped(): OkaError {
  return new OkaError(
    'daemon.unreachable',
    'The daemon stopped. The conversation is kept. Start it with: oka up.',
  );
}
