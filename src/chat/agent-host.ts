// Owns: answering for agents: claiming their turns, driving the runs, and storing the answers in the conversation. Does not own:
// what a turn is, and how its run is created.
import {
  type Engine,
  type ExecutionBackend,
  isEarly,
  isMissingRun,
  type Owners,
  type RunRequest,
  type RunState,
} from '../engine/index.ts';
import {
  backoffMs,
  type Clock,
  isOkaError,
  type Json,
  toFailure,
  type WorkerOutcome,
  waitUntil,
} from '../kernel/index.ts';
import { LEDGER_ERROR_CODES } from '../ledger/index.ts';
import type { Spent, Turn, Turns } from './turns.ts';
import type { Notification } from './types.ts';

/** The interval of polling for turns without a notification. */
const POLL_MS = 5_000;
const MAX_ACTIVE_TURNS = 16;
const FIRST_PAUSE_MS = 1_000;
/** The time limit of a turn whose agent sets none. */
export const MAX_TURN_MS = 600_000;
/** The longest time that a turn waits for a model that is rate limited or overloaded. */
export const MAX_WAIT_MS = 3_600_000;

export interface AgentHostParts {
  readonly turns: Turns;
  readonly engine: Engine;
  /** Executes the runs that answer. */
  readonly backend: Pick<ExecutionBackend, 'start' | 'resume' | 'cancel'>;
  readonly clock: Clock;
  readonly owners: Owners;
  /** Answers only in this conversation. */
  readonly conversation?: string;
  /** The agents that this host answers for now. */
  readonly agents: () => Promise<readonly string[]>;
  /** The turns of these agents that wait for a person or for a model. */
  readonly parked: (agents: readonly string[]) => Promise<readonly Notification[]>;
  readonly requestOf: (turn: Turn) => Promise<RunRequest>;
  readonly isCancelled: (turn: Turn) => Promise<boolean>;
  readonly onTurn: (turn: Turn, outcome: string) => void;
  /** The message text of a run's output. */
  readonly textOf: (output: Json) => string;
  /** Called after each poll and each turn. */
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
  /** The retry times of failed turns. */
  readonly #notBefore = new Map<string, number>();
  #woken = new AbortController();
  /** Whether the last poll found a turn. */
  #answered = false;
  /** When the next turn has waited long enough for its model. */
  #nextDue = Number.POSITIVE_INFINITY;

  constructor(parts: AgentHostParts) {
    this.#parts = parts;
  }

  /** Polls at once. */
  wake(): void {
    this.#woken.abort();
  }

  /** Stops cancelled turns. */
  async reconsider(): Promise<void> {
    for (const { turn, stop } of [...this.#active.values()])
      if (await this.#parts.isCancelled(turn)) stop.abort();
  }

  /** Answers until the signal aborts; then releases every turn at its next boundary. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    signal.addEventListener('abort', () => {
      for (const { stop } of this.#active.values()) stop.abort();
    });
    while (!signal.aborted) {
      this.#woken = new AbortController();
      await this.#poll(signal).then(
        () => this.#parts.onOutcome({ ok: true, task: 'look' }),
        (error: unknown) => {
          const { code, message } = toFailure(error, 'engine.tool_failed');
          const nextTryAt = clock.now() + POLL_MS;
          this.#parts.onOutcome({ ok: false, task: 'look', code, message, nextTryAt });
        },
      );
      const signals = [signal, this.#woken.signal];
      const until = Math.min(clock.now() + POLL_MS, this.#nextDue);
      await waitUntil(clock, until, signals, { background: true });
    }
    await Promise.all([...this.#active.values()].map(({ work }) => work));
  }

  /** Answers the turns that are open now. Returns when another one may be due. */
  async answerOpen(signal: AbortSignal): Promise<number | undefined> {
    const stop = (): void => {
      for (const active of this.#active.values()) active.stop.abort();
    };
    signal.addEventListener('abort', stop);
    try {
      do {
        await this.#poll(signal);
        await Promise.all([...this.#active.values()].map(({ work }) => work));
        // An answered turn makes room for the next one of the same conversation.
      } while (this.#answered && !signal.aborted);
    } finally {
      signal.removeEventListener('abort', stop);
    }
    const due = Math.min(this.#nextDue, ...this.#notBefore.values());
    return Number.isFinite(due) ? due : undefined;
  }

  async #poll(signal: AbortSignal): Promise<void> {
    this.#answered = false;
    const { turns, clock, conversation } = this.#parts;
    const isServed = (found: Notification): boolean =>
      conversation === undefined || found.conversation === conversation;
    this.#nextDue = Number.POSITIVE_INFINITY;
    if (this.#active.size >= MAX_ACTIVE_TURNS) return;
    const agents = await this.#parts.agents();
    for (const notification of await this.#parts.parked(agents))
      if (isServed(notification)) await this.#continue(notification, signal);
    const free = MAX_ACTIVE_TURNS - this.#active.size;
    const canClaim = (found: Notification): boolean =>
      isServed(found) && (this.#notBefore.get(found.id) ?? 0) <= clock.now();
    for (const turn of await turns.claim(agents, { limit: free, canClaim })) this.#begin(turn, signal);
  }

  /** Continues a parked turn once its run no longer waits. */
  async #continue(notification: Notification, signal: AbortSignal): Promise<void> {
    const { id, run: known, waiting } = notification;
    if (known === undefined || this.#active.has(id)) return;
    const { clock, engine, owners } = this.#parts;
    const run = await engine.load(known);
    const isOwned = run.owner !== undefined && owners.isAlive(run.owner);
    const isWaiting = run.waiting !== undefined && !isDue(run, clock.now());
    if (!run.ended && (run.paused || isWaiting || isOwned)) {
      if (waiting !== undefined && waiting.until > clock.now())
        this.#nextDue = Math.min(this.#nextDue, waiting.until);
      return;
    }
    const turn = await this.#parts.turns.unpark(notification);
    if (turn) this.#begin(turn, signal);
  }

  #begin(turn: Turn, signal: AbortSignal): void {
    this.#answered = true;
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
      // If the ledger itself fails, nothing can be recorded; the claim expires with this host.
      if (isOkaError(error, LEDGER_ERROR_CODES)) throw error;
      // Another process drives the run; the turn continues when it is done.
      if (isOkaError(error, 'engine.run_owned')) return (await turns.park(turn)) ? 'parked' : 'lost';
      this.#pause(turn);
      const { message } = toFailure(error, 'engine.tool_failed');
      return (await turns.fail(turn, message, NOTHING)) ? 'failed' : 'lost';
    }
  }

  /** Stores the result of a run in the conversation. */
  async #conclude(turn: Turn, run: RunState, tookLong: string | undefined): Promise<string> {
    const { turns } = this.#parts;
    const spent = spentBy(run);
    const unlessLost = async (done: Promise<boolean>, outcome: string): Promise<string> =>
      (await done) ? outcome : 'lost';
    if (run.ended?.status === 'completed') {
      const text = this.#parts.textOf(run.output ?? null);
      return unlessLost(turns.finish(turn, { ...spent, text, untrusted: run.untrusted }), 'done');
    }
    if (run.waiting?.for === 'budget') {
      const why = `the turn used up its ${run.waiting.budget}`;
      await this.#stop(turn, why);
      return unlessLost(turns.drop(turn, 'budget', why, spent), 'budget');
    }
    if (tookLong !== undefined || run.ended?.status === 'failed') {
      const why = tookLong ?? run.failure?.message ?? 'it failed';
      if (tookLong === undefined && isFinal(run))
        return unlessLost(turns.drop(turn, 'failed', why, spent), 'failed');
      this.#pause(turn);
      return unlessLost(turns.fail(turn, why, spent), 'failed');
    }
    if (run.ended) return unlessLost(turns.drop(turn, 'cancelled', 'it was cancelled', spent), 'cancelled');
    const { waiting } = run;
    if (waiting?.for === 'time' && waiting.busy !== undefined)
      return unlessLost(turns.park(turn, { until: waiting.at, why: waiting.busy }), 'waiting');
    if (run.paused || waiting !== undefined) return unlessLost(turns.park(turn), 'parked');
    return unlessLost(turns.release(turn), 'released');
  }

  /** Drives the run of a turn until it ends, waits, is cancelled or takes too long. */
  async #drive(
    turn: Turn,
    signal: AbortSignal,
    stop: AbortController,
  ): Promise<{ readonly run: RunState; readonly tookLong?: string }> {
    const { engine, backend, clock } = this.#parts;
    const known = turn.again ? await findRun(engine, turn.run) : undefined;
    if (known?.ended || known?.paused) return { run: known };
    const request = known === undefined ? await this.#parts.requestOf(turn) : undefined;
    const limits = known?.limits ?? request?.budgets ?? {};
    const maxMs = limits.wall_ms ?? MAX_TURN_MS;
    let hasExpired = false;
    const cancelTimer = clock.callAt(clock.now() + Math.max(0, maxMs - (known?.activeMs ?? 0)), () => {
      hasExpired = true;
      stop.abort();
    });
    if (signal.aborted) stop.abort();
    try {
      const options = { signal: stop.signal, parksWhenBusy: true };
      const run = request
        ? await backend.start({ ...request, id: turn.run }, options)
        : await backend.resume(turn.run, options);
      const isStopped = stop.signal.aborted && !run.ended && run.waiting === undefined;
      // The engine may notice the time limit between two steps before the timer does; both end the same way.
      const isUsedUp = run.waiting?.for === 'budget' && run.waiting.budget === 'wall_ms';
      const isLate = isUsedUp || (isStopped && hasExpired);
      if (!isLate && (!isStopped || signal.aborted)) return { run };
      const tookLong = isLate ? `it took longer than ${maxMs / 1_000} seconds` : undefined;
      await this.#stop(turn, tookLong ?? 'its conversation was paused or deleted');
      return { run: await engine.load(turn.run), ...(tookLong === undefined ? {} : { tookLong }) };
    } finally {
      cancelTimer();
    }
  }

  #stop({ run }: Turn, reason: string): Promise<void> {
    const { backend, owners } = this.#parts;
    return stopRun(backend, run, { by: owners.self, reason });
  }

  /** Retries a failed turn with growing delays. */
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

/** Cancels a run unless it is missing or has ended. */
export async function stopRun(
  backend: Pick<ExecutionBackend, 'cancel'>,
  run: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await backend.cancel(run, by, reason).catch((error: unknown) => {
    if (!isMissingRun(error) && !isOkaError(error, 'engine.run_ended')) throw error;
  });
}

/** The run, if it was started. */
export async function findRun(engine: Engine, run: string): Promise<RunState | undefined> {
  return engine.load(run).catch((error: unknown) => {
    if (isMissingRun(error)) return undefined;
    throw error;
  });
}

/** Errors that a retry cannot fix. */
const PERMANENT: readonly string[] = [
  'agent.goal_not_understood',
  'models.not_configured',
  'models.key_rejected',
  'models.unknown_model',
];

/** A run that gave up on a busy model has waited already. */
function isFinal({ failure, limits }: RunState): boolean {
  if (PERMANENT.includes(failure?.code ?? '')) return true;
  return limits.wait_ms !== undefined && failure?.data?.['busy'] !== undefined;
}

/** Whether a run has waited long enough for its model. */
function isDue(run: RunState, now: number): boolean {
  const { waiting } = run;
  return waiting?.for === 'time' && waiting.busy !== undefined && !isEarly(waiting.at, run, now);
}

const NOTHING: Spent = { tokens: 0, costUsd: 0 };

function spentBy({ used }: RunState): Spent {
  return {
    tokens: (used.input_tokens ?? 0) + (used.output_tokens ?? 0),
    costUsd: used.cost_usd ?? 0,
  };
}
