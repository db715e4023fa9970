// Owns: the turns of a conversation as the ledger has them: which are open, waiting for them, cancelling them.
import { EventEmitter, once } from 'node:events';
import { isOkaError, type NotificationView, type OkaApi } from '../../api/index.ts';

const OPEN: readonly string[] = ['queued', 'claimed'];

/** A turn that was cancelled, and the run that it had started. */
export interface CancelledTurn {
  readonly agent: string;
  readonly run: string;
}

interface RoomTurnsParts {
  readonly api: OkaApi;
  readonly conversation: string;
  readonly by: string;
  readonly closing: AbortSignal;
}

export class RoomTurns {
  readonly #parts: RoomTurnsParts;
  readonly #events = new EventEmitter();

  constructor(parts: RoomTurnsParts) {
    this.#parts = parts;
    parts.closing.addEventListener('abort', () => this.changed());
  }

  /** Called when a turn started, ended or took a step. */
  changed(): void {
    this.#events.emit('turn');
  }

  async hasOpen(): Promise<boolean> {
    return (await this.#open()).length > 0;
  }

  /** Waits until all turns for a message have ended. False if an agent did not answer. */
  async answered(message: number): Promise<boolean> {
    for (;;) {
      const nextEvent = once(this.#events, 'turn');
      const turns = (await this.#all()).filter((turn) => turn.message === message);
      if (turns.every(({ status }) => !OPEN.includes(status)))
        return turns.length > 0 && turns.every(({ status }) => status === 'done');
      if (this.#parts.closing.aborted) return false;
      await nextEvent;
    }
  }

  /** Cancels all open turns. Waits for queued turns to start, then cancels them. */
  async cancel(): Promise<readonly CancelledTurn[]> {
    while (!this.#parts.closing.aborted) {
      // Subscribe first, because the event may arrive during the lookup.
      const nextEvent = once(this.#events, 'turn');
      const open = await this.#open();
      const cancelled: CancelledTurn[] = [];
      for (const turn of open)
        if (await this.#cancelTurn(turn)) cancelled.push({ agent: turn.agent, run: turn.run ?? '' });
      if (open.length === 0 || cancelled.length > 0) return cancelled;
      await nextEvent;
    }
    return [];
  }

  async #open(): Promise<readonly NotificationView[]> {
    return (await this.#all()).filter(({ status }) => OPEN.includes(status));
  }

  #all(): Promise<readonly NotificationView[]> {
    const { api, conversation } = this.#parts;
    return api.chat.trace(conversation);
  }

  /** False if its run has not started. */
  async #cancelTurn({ status, run }: NotificationView): Promise<boolean> {
    const { api, conversation, by } = this.#parts;
    if (status !== 'claimed' || run === undefined) return false;
    try {
      await api.runs.cancel(run, by, 'cancelled by the user');
    } catch (error) {
      // Ignore a run that has ended.
      if (!isOkaError(error)) throw error;
      return error.code !== 'engine.unknown_run' && error.code !== 'engine.run_archived';
    }
    // Wake the host, so that it stops waiting for the model.
    await api.chat.notify({ conv_name: conversation, message_id: 0, depth: 0 });
    return true;
  }
}
