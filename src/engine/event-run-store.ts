import { type EventStore, MemoryTables } from '../ledger/index.ts';
import { MemoryRunStore } from './memory-stores.ts';
import type { ApprovalPageFilter, ApprovalSummary, RunFilter, RunStore, RunSummary } from './ports.ts';
import { runProjection } from './run-projection.ts';
import type { RunState } from './run-state.ts';
import type { RunId } from './types.ts';

const PAGE = 1_000;

/** Finds runs with an event store alone: folds the events that are new since the last query, of every process. */
export class EventRunStore implements RunStore {
  readonly #events: Pick<EventStore, 'readAfter'>;
  readonly #tables = new MemoryTables([runProjection]);
  readonly #runs = new MemoryRunStore(this.#tables);
  #seq = 0;
  #folding: Promise<void> = Promise.resolve();

  constructor(events: Pick<EventStore, 'readAfter'>) {
    this.#events = events;
  }

  async list(filter: RunFilter): Promise<readonly RunSummary[]> {
    await this.#fold();
    return this.#runs.list(filter);
  }

  async get(run: string): Promise<RunSummary | undefined> {
    await this.#fold();
    return this.#runs.get(run);
  }

  async approvals(filter: Parameters<RunStore['approvals']>[0]): Promise<readonly ApprovalSummary[]> {
    await this.#fold();
    return this.#runs.approvals(filter);
  }

  async approvalPage(filter: ApprovalPageFilter): Promise<readonly ApprovalSummary[]> {
    await this.#fold();
    return this.#runs.approvalPage(filter);
  }

  async approval(id: string): Promise<ApprovalSummary | undefined> {
    await this.#fold();
    return this.#runs.approval(id);
  }

  async artifacts(root: RunId): ReturnType<RunStore['artifacts']> {
    await this.#fold();
    return this.#runs.artifacts(root);
  }

  saveSnapshot(run: RunState): Promise<void> {
    return this.#runs.saveSnapshot(run);
  }

  loadSnapshot(run: string): Promise<RunState | undefined> {
    return this.#runs.loadSnapshot(run);
  }

  dropSnapshot(run: string): Promise<void> {
    return this.#runs.dropSnapshot(run);
  }

  /** Queries that arrive together fold each event once. */
  #fold(): Promise<void> {
    this.#folding = this.#folding.catch(() => undefined).then(() => this.#foldNew());
    return this.#folding;
  }

  async #foldNew(): Promise<void> {
    for (;;) {
      const events = await this.#events.readAfter(this.#seq, PAGE);
      for (const event of events) this.#tables.apply(event);
      this.#seq = events.at(-1)?.seq ?? this.#seq;
      if (events.length < PAGE) return;
    }
  }
}
