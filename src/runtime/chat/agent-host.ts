// Owns: answering for agents: taking up what waits for them, working on its run, and putting what came of it into the
// conversation. Does not own: what a turn is, and how a run is made of one.
import { outputText, type WorkerOutcome } from '../../api/index.ts';
import type { Notification, Spent, Turn, Turns } from '../../chat/index.ts';
import {
  type Engine,
  isMissingRun,
  type Owners,
  type RunRequest,
  type RunState,
} from '../../engine/index.ts';
import { backoffMs, type Clock, isOkaError, toFailure, waitUntil } from '../../kernel/index.ts';
import { LEDGER_ERROR_CODES } from '../../ledger/index.ts';
import { stopRun } from './chat-erasure.ts';

/** How often it is looked for what nobody rang for. */
const LOOK_MS = 5_000;
const MOST_AT_ONCE = 16;
const FIRST_PAUSE_MS = 1_000;
/** How long a turn may work where its agent does not say. */
export const LONGEST_TURN_MS = 600_000;

export interface AgentHostParts {
  readonly turns: Turns;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly owners: Owners;
  /** The agents that this host answers for, now. */
  readonly agents: () => Promise<readonly string[]>;
  /** What waits for a person, of these agents. */
  readonly parked: (agents: readonly string[]) => Promise<readonly Notification[]>;
  readonly requestOf: (turn: Turn) => Promise<RunRequest>;
  /** Whether somebody wants no answer to it any more. */
  readonly isCalledOff: (turn: Turn) => Promise<boolean>;
  readonly onTurn: (turn: Turn, outcome: string) => void;
  /** Hears how looking for turns and working on them goes. */
  readonly onOutcome: (outcome: WorkerOutcome) => void;
}

interface Active {
  readonly turn: Turn;
  readonly work: Promise<void>;
  readonly stop: AbortController;
}

/** Answers for agents until it is stopped. */
export class AgentHost {
  readonly #parts: AgentHostParts;
  readonly #active = new Map<string, Active>();
  /** Turns that failed here are left alone until then. */
  readonly #notBefore = new Map<string, number>();
  #woken = new AbortController();

  constructor(parts: AgentHostParts) {
    this.#parts = parts;
  }

  /** Looks at once for what waits. */
  wake(): void {
    this.#woken.abort();
  }

  /** Stops working on what was called off. */
  async reconsider(): Promise<void> {
    for (const { turn, stop } of [...this.#active.values()])
      if (await this.#parts.isCalledOff(turn)) stop.abort();
  }

  /** Works until the signal aborts; then every turn is let go at its next boundary. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    signal.addEventListener('abort', () => {
      for (const { stop } of this.#active.values()) stop.abort();
    });
    while (!signal.aborted) {
      this.#woken = new AbortController();
      await this.#look(signal).then(
        () => this.#parts.onOutcome({ ok: true, task: 'look' }),
        (error: unknown) => {
          const { code, message } = toFailure(error, 'engine.tool_failed');
          const nextTryAt = clock.now() + LOOK_MS;
          this.#parts.onOutcome({ ok: false, task: 'look', code, message, nextTryAt });
        },
      );
      const signals = [signal, this.#woken.signal];
      await waitUntil(clock, clock.now() + LOOK_MS, signals, { background: true });
    }
    await Promise.all([...this.#active.values()].map(({ work }) => work));
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { turns, clock } = this.#parts;
    if (this.#active.size >= MOST_AT_ONCE) return;
    const agents = await this.#parts.agents();
    for (const notification of await this.#parts.parked(agents)) await this.#goOn(notification, signal);
    const free = MOST_AT_ONCE - this.#active.size;
    const canClaim = (id: string): boolean => (this.#notBefore.get(id) ?? 0) <= clock.now();
    for (const turn of await turns.claim(agents, { limit: free, canClaim })) this.#begin(turn, signal);
  }

  /** Takes up a turn again when its run does not wait for anybody any more. */
  async #goOn(notification: Notification, signal: AbortSignal): Promise<void> {
    if (notification.run === undefined || this.#active.has(notification.id)) return;
    const run = await this.#parts.engine.load(notification.run);
    const isInHand = run.owner !== undefined && this.#parts.owners.isAlive(run.owner);
    if (!run.ended && (run.paused || run.waiting !== undefined || isInHand)) return;
    const turn = await this.#parts.turns.unpark(notification);
    if (turn) this.#begin(turn, signal);
  }

  #begin(turn: Turn, signal: AbortSignal): void {
    const { id } = turn.notification;
    const stop = new AbortController();
    const work = this.#answer(turn, signal, stop)
      .then((outcome) => {
        this.#parts.onOutcome({ ok: true, task: 'turn' });
        this.#parts.onTurn(turn, outcome);
      })
      .catch((error: unknown) => {
        const { code, message } = toFailure(error, 'engine.tool_failed');
        this.#parts.onOutcome({ ok: false, task: 'turn', code, message: `${id}: ${message}` });
      })
      .finally(() => {
        this.#active.delete(id);
        this.wake();
      });
    this.#active.set(id, { turn, work, stop });
  }

  async #answer(turn: Turn, signal: AbortSignal, stop: AbortController): Promise<string> {
    const { turns } = this.#parts;
    try {
      const driven = await this.#drive(turn, signal, stop);
      return await this.#conclude(turn, driven.run, driven.tookLong);
    } catch (error) {
      // Where the ledger itself fails nothing can be recorded; the claim is free when this host is gone.
      if (isOkaError(error, LEDGER_ERROR_CODES)) throw error;
      // Somebody else works on the run; it comes back when that one is done.
      if (isOkaError(error, 'engine.run_owned')) return (await turns.park(turn)) ? 'parked' : 'lost';
      this.#pause(turn);
      const { message } = toFailure(error, 'engine.tool_failed');
      return (await turns.fail(turn, message, NOTHING)) ? 'failed' : 'lost';
    }
  }

  /** Puts what came of a run into the conversation. */
  async #conclude(turn: Turn, run: RunState, tookLong: string | undefined): Promise<string> {
    const { turns } = this.#parts;
    const spent = spentBy(run);
    const told = async (done: Promise<boolean>, outcome: string): Promise<string> =>
      (await done) ? outcome : 'lost';
    if (run.ended?.status === 'completed') {
      const text = outputText(run.output ?? null);
      return told(turns.finish(turn, { ...spent, text, untrusted: run.untrusted }), 'done');
    }
    if (run.waiting?.for === 'budget') {
      const why = `the turn has used up its ${run.waiting.budget}`;
      await this.#stop(turn, why);
      return told(turns.drop(turn, 'budget', why, spent), 'budget');
    }
    if (tookLong !== undefined || run.ended?.status === 'failed') {
      const why = tookLong ?? run.failure?.message ?? 'it failed';
      if (tookLong === undefined && LASTING.includes(run.failure?.code ?? ''))
        return told(turns.drop(turn, 'failed', why, spent), 'failed');
      this.#pause(turn);
      return told(turns.fail(turn, why, spent), 'failed');
    }
    if (run.ended) return told(turns.drop(turn, 'cancelled', 'somebody cancelled it', spent), 'cancelled');
    if (run.paused || run.waiting !== undefined) return told(turns.park(turn), 'parked');
    return told(turns.release(turn), 'released');
  }

  /** Works on the run of a turn until it ends, has to wait, is called off, or has taken too long. */
  async #drive(
    turn: Turn,
    signal: AbortSignal,
    stop: AbortController,
  ): Promise<{ readonly run: RunState; readonly tookLong?: string }> {
    const { engine, clock } = this.#parts;
    const known = turn.again ? await findRun(engine, turn.run) : undefined;
    if (known?.ended || known?.paused) return { run: known };
    const request = known === undefined ? await this.#parts.requestOf(turn) : undefined;
    const limits = known?.limits ?? request?.budgets ?? {};
    const longestMs = limits.wall_ms ?? LONGEST_TURN_MS;
    let hasRung = false;
    const cancelTimer = clock.callAt(clock.now() + Math.max(0, longestMs - (known?.activeMs ?? 0)), () => {
      hasRung = true;
      stop.abort();
    });
    if (signal.aborted) stop.abort();
    try {
      const options = { signal: stop.signal };
      const run = request
        ? await engine.run({ ...request, id: turn.run }, options)
        : await engine.resume(turn.run, options);
      const isStopped = stop.signal.aborted && !run.ended && run.waiting === undefined;
      // The engine sees between two steps that the time is over; whether it or the timer is first makes no difference.
      const isUsedUp = run.waiting?.for === 'budget' && run.waiting.budget === 'wall_ms';
      const isLate = isUsedUp || (isStopped && hasRung);
      if (!isLate && (!isStopped || signal.aborted)) return { run };
      const tookLong = isLate ? `it took longer than ${longestMs / 1_000} seconds` : undefined;
      await this.#stop(turn, tookLong ?? 'nobody wants the answer any more');
      return { run: await engine.load(turn.run), ...(tookLong === undefined ? {} : { tookLong }) };
    } finally {
      cancelTimer();
    }
  }

  #stop({ run }: Turn, reason: string): Promise<void> {
    const { engine, owners } = this.#parts;
    return stopRun(engine, run, { by: owners.self, reason });
  }

  /** A turn that failed is tried again later and later. */
  #pause({ notification: { id, attempts } }: Turn): void {
    const at = this.#parts.clock.now() + backoffMs(attempts, { firstMs: FIRST_PAUSE_MS, factor: 4 });
    this.#notBefore.set(id, at);
    this.#parts.clock.callAt(
      at,
      () => {
        this.#notBefore.delete(id);
        this.wake();
      },
      { background: true },
    );
  }
}

/** The run, if it was begun. */
export async function findRun(engine: Engine, run: string): Promise<RunState | undefined> {
  return engine.load(run).catch((error: unknown) => {
    if (isMissingRun(error)) return undefined;
    throw error;
  });
}

/** What does not go otherwise when it is tried again. */
const LASTING: readonly string[] = ['agent.goal_not_understood', 'models.not_configured'];

const NOTHING: Spent = { tokens: 0, costUsd: 0 };

function spentBy({ used }: RunState): Spent {
  return {
    tokens: (used.input_tokens ?? 0) + (used.output_tokens ?? 0),
    costUsd: used.cost_usd ?? 0,
  };
}
