// Owns: committing a run's events and keeping its fold in step. Does not own: what to commit.
// I1 Every commit expects the run's next index, so a writer that lost its run is refused by the store.
// I2 What others append meanwhile (pause, cancel, signals, ended children) is folded in, and the commit is made again.
import { isOkaError, OkaError } from '../kernel/index.ts';
import type { EventDraft, LedgerEvent, StreamAppend, SyncLevel } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { applyRunEvent } from './fold-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';

const FIRST_SNAPSHOT = 512;
const LONG = 1_024;

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
   * Appends `events` to the run, together with what `others` gives. After a conflict `others` is asked again, because
   * what it answered may rest on a view that has passed.
   */
  commit(
    events: readonly EventDraft[],
    sync: SyncLevel,
    others?: () => readonly StreamAppend[],
  ): Promise<void> {
    const own: StreamAppend = { stream: this.#stream, expectedIndex: this.run.index + 1, events };
    let appends: readonly StreamAppend[];
    try {
      appends = others === undefined ? [own] : mergeAppends([own, ...others()]);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    const { events: store, actor } = this.#parts;
    return store.commit({ actor, sync, appends }).then(this.#take, async (error: unknown) => {
      if (others !== undefined) await (await this.#parts.account(this.run.lineage.root)).refresh();
      if (!isOkaError(error, 'ledger.conflict')) throw error;
      await this.reconcile();
      return this.commit(events, sync, others);
    });
  }

  #take = (stored: readonly LedgerEvent[]): void | Promise<void> => {
    for (const event of stored) if (event.stream === this.#stream) this.#fold(event);
    if (this.#parts.snapshotAlways || this.run.index >= this.#snapshotAt) return this.#snapshot();
  };

  /** Folds in what others have appended. Throws when the run is no longer ours. */
  async reconcile(): Promise<void> {
    const epoch = this.run.epoch;
    for (const event of await this.#parts.events.read(this.#stream, this.run.index + 1)) this.#fold(event);
    if (this.run.epoch === epoch && this.run.ended === undefined) return;
    throw new OkaError(
      'engine.ownership_lost',
      `run ${this.run.id} was taken over by ${this.run.owner ?? 'another process'}.`,
      {
        data: { run: this.run.id, owner: this.run.owner ?? null },
      },
    );
  }

  /** Two may read at the same time, the look during a call and a commit; each event is folded in once. */
  #fold(event: LedgerEvent): void {
    if (event.index > this.run.index) applyRunEvent(this.run, event);
  }

  async #snapshot(): Promise<void> {
    await this.#parts.runs.saveSnapshot(this.run);
    this.#snapshotAt = nextSnapshot(this.run.index);
  }
}

/** Snapshots come ever more rarely, so that what they cost stays in proportion to the run, and small for a long one. */
function nextSnapshot(index: number): number {
  return Math.max(FIRST_SNAPSHOT, index * (index < LONG ? 2 : 4));
}

/** One append per stream, in order of first mention: a commit's appends all start from the same view. */
export function mergeAppends(appends: readonly StreamAppend[]): StreamAppend[] {
  const merged = new Map<string, StreamAppend>();
  for (const append of appends) {
    const first = merged.get(append.stream);
    merged.set(append.stream, first ? { ...first, events: [...first.events, ...append.events] } : append);
  }
  return [...merged.values()];
}
