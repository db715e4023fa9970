import type { RunStore } from '../../engine/index.ts';
import type { EventStore, LedgerEvent } from '../../ledger/index.ts';
import { errorTypeOf, OTHER } from './conventions.ts';
import type { Instruments } from './instruments.ts';
import { type RunTracer, stopwatch } from './run-tracer.ts';

/** A store whose commits, and the waits before them, are measured. */
export function timedEvents(store: EventStore, instruments: Instruments): EventStore {
  return {
    commit: async (commit) => {
      const seconds = stopwatch();
      try {
        const stored = await store.commit(commit);
        instruments.commitTook(seconds(), undefined);
        return stored;
      } catch (error) {
        instruments.commitTook(seconds(), errorTypeOf(error));
        throw error;
      }
    },
    waitForCapacity: () => {
      const seconds = stopwatch();
      const waiting = store.waitForCapacity();
      if (waiting === undefined) instruments.waitedForCapacity(0);
      return waiting?.then(() => instruments.waitedForCapacity(seconds()));
    },
    read: (stream, fromIndex) => store.read(stream, fromIndex),
    readAfter: (seq, limit) => store.readAfter(seq, limit),
    end: (stream) => store.end(stream),
    head: () => store.head(),
    sync: () => store.sync(),
    subscribe: (listener) => store.subscribe(listener),
  };
}

export interface EventObservers {
  readonly instruments: Instruments;
  readonly tracer: RunTracer;
  readonly runs: Pick<RunStore, 'get'>;
  /** Whether a tool has this name; a model can ask for tools that do not exist. */
  readonly isTool: (name: string) => boolean;
}

const RUN_STREAM = 'run/';
const ENDS = ['run.completed', 'run.failed', 'run.cancelled'];
const TURN_ENDS: Readonly<Record<string, string>> = {
  'turn.done': 'ok',
  'turn.failed': 'failed',
  'turn.dropped': 'dropped',
};

/** Counts what this process records. It reads nothing but the events and the summaries of ended runs. */
export class EventObserver {
  readonly #observers: EventObservers;
  readonly #pending = new Set<Promise<void>>();

  constructor(observers: EventObservers) {
    this.#observers = observers;
  }

  note = (events: readonly LedgerEvent[]): void => {
    this.#observers.instruments.committed(events.length);
    for (const event of events) this.#note(event);
  };

  /** Resolves when the spans of all ended runs are made. */
  async idle(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #note(event: LedgerEvent): void {
    const { instruments } = this.#observers;
    const { type, data } = event;
    if (type === 'run.started') instruments.runStarted(String(data['kind']));
    else if (ENDS.includes(type)) this.#runEnded(event);
    else if (type === 'step.completed') {
      instruments.stepTaken(String(data['outcome']));
      if (data['kind'] === 'call_tool') this.#toolCalled(data, String(data['outcome']));
    } else if (type === 'tool.completed' || type === 'tool.failed') {
      const outcome = type === 'tool.completed' ? 'ok' : 'failed';
      instruments.stepTaken(outcome);
      this.#toolCalled(data, outcome);
    } else if (type === 'schedule.fired') instruments.scheduleFired();
    else if (TURN_ENDS[type] !== undefined) instruments.turnEnded(TURN_ENDS[type]);
  }

  #toolCalled({ tool }: LedgerEvent['data'], outcome: string): void {
    const { instruments, isTool } = this.#observers;
    instruments.toolCalled(typeof tool === 'string' && isTool(tool) ? tool : OTHER, outcome);
  }

  #runEnded({ stream, at }: LedgerEvent): void {
    const { instruments, tracer, runs } = this.#observers;
    if (!stream.startsWith(RUN_STREAM)) return;
    const done: Promise<void> = runs
      .get(stream.slice(RUN_STREAM.length))
      .then(
        (run) => {
          if (run === undefined) return;
          instruments.runEnded(run.kind, run.status, Math.max(0, at - run.startedAt) / 1_000);
          tracer.runEnded(run, at);
        },
        // A ledger that cannot be read is reported by what needs it.
        () => undefined,
      )
      .finally(() => this.#pending.delete(done));
    this.#pending.add(done);
  }
}
