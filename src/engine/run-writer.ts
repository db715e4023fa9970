// Owns: committing a run's events and keeping its fold in step. Does not own: what to commit.
// I1 Every commit expects the run's next index, so a writer that lost its run is refused by the store.
// I2 Events that others append meanwhile (pause, cancel, signals, ended children) are folded in, and the commit is retried.
import { isOkaError, OkaError } from '../kernel/index.ts';
import type { EventDraft, LedgerEvent, StreamAppend, SyncLevel } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { applyRunEvent } from './fold-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';

const FIRST_SNAPSHOT = 512;
const LONG_RUN = 1_024;

export class RunWriter {
  readonly run: RunState;
  readonly #parts: EngineParts;
  readonly #stream: string;
  #snapshotAt: number;

  constructor(run: RunState, parts: EngineParts) {
    this.run = run;
    this.#parts = parts;
    this.#stream = runStream(run.id);
    this.#snapshotAt = nextSnapshot(run.index);
  }

  /**
   * Appends `events` to the run, together with what `others` returns. After a conflict `others` is called again, because
   * its answer may depend on events that were appended meanwhile.
   */
  async commit(
    events: readonly EventDraft[],
    sync: SyncLevel,
    others?: () => readonly StreamAppend[],
  ): Promise<void> {
    const { events: store, actor, snapshotAlways } = this.#parts;
    let stored: readonly LedgerEvent[] | undefined;
    while (stored === undefined) {
      const own: StreamAppend = { stream: this.#stream, expectedIndex: this.run.index + 1, events };
      const appends = others === undefined ? [own] : mergeAppends([own, ...others()]);
      try {
        stored = await store.commit({ actor, sync, appends });
      } catch (error) {
        if (others !== undefined) await (await this.#parts.account(this.run.lineage.root)).refresh();
        if (!isOkaError(error, 'ledger.conflict')) throw error;
        await this.reconcile();
      }
    }
    for (const event of stored) if (event.stream === this.#stream) this.#fold(event);
    if (snapshotAlways || this.run.index >= this.#snapshotAt) await this.#snapshot();
  }

  /** Folds in what others have appended. Throws when the run is no longer ours. */
  async reconcile(): Promise<void> {
    const epoch = this.run.epoch;
    for (const event of await this.#parts.events.read(this.#stream, this.run.index + 1)) this.#fold(event);
    if (this.run.epoch === epoch && this.run.ended === undefined) return;
    throw new OkaError(
      'engine.ownership_lost',
      `Run ${this.run.id} was taken over by ${this.run.owner ?? 'another process'}.`,
      { data: { run: this.run.id, owner: this.run.owner ?? null } },
    );
  }

  /** Folds an event once, also when a check for cancellation and a commit read it at the same time. */
  #fold(event: LedgerEvent): void {
    if (event.index > this.run.index) applyRunEvent(this.run, event);
  }

  async #snapshot(): Promise<void> {
    await this.#parts.runs.saveSnapshot(this.run);
    this.#snapshotAt = nextSnapshot(this.run.index);
  }
}

/** The distance between snapshots grows with the run, so that their total cost stays proportional to its length. */
function nextSnapshot(index: number): number {
  return Math.max(FIRST_SNAPSHOT, index * (index < LONG_RUN ? 2 : 4));
}

/** One append per stream, in order of first mention: a commit's appends all start from the same view. */
function mergeAppends(appends: readonly StreamAppend[]): StreamAppend[] {
  const merged = new Map<string, StreamAppend>();
  for (const append of appends) {
    const first = merged.get(append.stream);
    merged.set(append.stream, first ? { ...first, events: [...first.events, ...append.events] } : append);
  }
  return [...merged.values()];
}

/** Appends to a run from outside its session and updates `run`. Rejects when the run has changed meanwhile. */
export async function commitToRun(
  run: RunState,
  events: readonly EventDraft[],
  parts: EngineParts,
  options: {
    readonly by: string;
    readonly sync: 'full' | 'normal';
    readonly others?: readonly StreamAppend[] | undefined;
  },
): Promise<void> {
  const stream = runStream(run.id);
  const own = { stream, expectedIndex: run.index + 1, events };
  const appends = mergeAppends([own, ...(options.others ?? [])]);
  const stored = await parts.events.commit({ actor: options.by, sync: options.sync, appends });
  for (const event of stored) if (event.stream === stream) applyRunEvent(run, event);
  if (parts.snapshotAlways) await parts.runs.saveSnapshot(run);
}
