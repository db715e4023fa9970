import { type Clock, type Digest, digestOf, type Json } from '../kernel/index.ts';
import { MemoryTables, type Row } from '../ledger/index.ts';
import type {
  ApprovalPageFilter,
  ApprovalSummary,
  ArtifactStore,
  Cache,
  MemoryItem,
  MemoryStore,
  RunFilter,
  RunStore,
  RunSummary,
} from './ports.ts';
import { runProjection } from './run-projection.ts';
import type { RunState } from './run-state.ts';
import {
  approvalOfRun,
  cutApprovalPage,
  matchesRun,
  newestFirst,
  placeOfRun,
  summaryOfRun,
  toApproval,
  toArtifact,
  toRunSummary,
  withSnapshotApprovals,
  withSnapshotRuns,
} from './summaries.ts';
import type { ArtifactRef, RunId } from './types.ts';

/** Finds runs in in-memory tables, and in snapshots if no events were folded into the tables. */
export class MemoryRunStore implements RunStore {
  readonly #tables: MemoryTables;
  readonly #snapshots = new Map<string, string>();

  constructor(tables = new MemoryTables([runProjection])) {
    this.#tables = tables;
  }

  async list(filter: RunFilter): Promise<readonly RunSummary[]> {
    const found = this.#tables
      .rows('runs')
      .map(toRunSummary)
      .filter((run) => matchesRun(run, filter))
      .sort((a, b) => newestFirst(placeOfRun(a), placeOfRun(b)))
      .slice(0, filter.limit ?? Number.POSITIVE_INFINITY);
    return withSnapshotRuns(found, this.#snapshotOnly(), filter);
  }

  async get(run: string): Promise<RunSummary | undefined> {
    const row = this.#tables.get('runs', { id: run });
    if (row) return toRunSummary(row);
    const snapshot = await this.loadSnapshot(run);
    return snapshot && summaryOfRun(snapshot);
  }

  async approvals(filter: Parameters<RunStore['approvals']>[0]): Promise<readonly ApprovalSummary[]> {
    const found = this.#tables
      .rows('approvals')
      .filter((row) => filter.status === undefined || row['status'] === filter.status)
      .filter((row) => filter.run === undefined || row['run'] === filter.run)
      .map((row) => toApproval(this.#withRoot(row)))
      .sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1));
    return withSnapshotApprovals(found, this.#snapshotOnly(), filter);
  }

  async approvalPage(filter: ApprovalPageFilter): Promise<readonly ApprovalSummary[]> {
    return cutApprovalPage(await this.approvals({}), filter);
  }

  async approval(id: string): Promise<ApprovalSummary | undefined> {
    const row = this.#tables.get('approvals', { id });
    if (row) return toApproval(this.#withRoot(row));
    return this.#snapshotOnly()
      .flatMap((run) => approvalOfRun(run) ?? [])
      .find((approval) => approval.id === id);
  }

  #withRoot(row: Row): Row {
    return { ...row, root: this.#tables.get('runs', { id: row['run'] })?.['root'] };
  }

  /** The runs whose events are not in the tables. */
  #snapshotOnly(): readonly RunState[] {
    return [...this.#snapshots]
      .filter(([run]) => this.#tables.get('runs', { id: run }) === undefined)
      .map(([, text]) => JSON.parse(text) as RunState);
  }

  async artifacts(root: RunId): ReturnType<RunStore['artifacts']> {
    const order = new Map((await this.list({ root })).toReversed().map(({ id }, place) => [id, place]));
    const placeOf = (row: Row): number[] => [
      order.get(row['run'] as RunId) ?? 0,
      Number(row['idx']),
      Number(row['place']),
    ];
    return this.#tables
      .rows('artifacts')
      .filter((row) => order.has(row['run'] as RunId))
      .sort((a, b) => compareNumbers(placeOf(a), placeOf(b)))
      .map(toArtifact);
  }

  async saveSnapshot(run: RunState): Promise<void> {
    this.#snapshots.set(run.id, JSON.stringify(run));
  }

  async loadSnapshot(run: string): Promise<RunState | undefined> {
    const text = this.#snapshots.get(run);
    return text === undefined ? undefined : (JSON.parse(text) as RunState);
  }

  async dropSnapshot(run: string): Promise<void> {
    this.#snapshots.delete(run);
  }
}

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  const first = one.findIndex((number, i) => number !== other[i]);
  return first < 0 ? 0 : (one[first] ?? 0) - (other[first] ?? 0);
}

/** Artifacts in memory, on top of an optional store that is only read. */
export class MemoryArtifactStore implements ArtifactStore {
  readonly #content = new Map<Digest, { bytes: Uint8Array; storedAt: number }>();
  readonly #clock: Clock;
  readonly #beneath: ArtifactStore | undefined;

  constructor(clock: Clock, beneath?: ArtifactStore) {
    this.#clock = clock;
    this.#beneath = beneath;
  }

  async put(content: string | Uint8Array, about: { mediaType: string; name?: string }): Promise<ArtifactRef> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);
    const digest = digestOf(bytes);
    if (!this.#content.has(digest)) this.#content.set(digest, { bytes, storedAt: this.#clock.now() });
    return {
      digest,
      bytes: bytes.length,
      mediaType: about.mediaType,
      ...(about.name === undefined ? {} : { name: about.name }),
    };
  }

  async touch(digest: Digest): Promise<boolean> {
    const found = this.#content.get(digest);
    if (found === undefined) return false;
    found.storedAt = this.#clock.now();
    return true;
  }

  async get(digest: Digest): Promise<Uint8Array | undefined> {
    const found = this.#content.get(digest);
    return found ? Uint8Array.from(found.bytes) : this.#beneath?.get(digest);
  }

  async list(): ReturnType<ArtifactStore['list']> {
    return [...this.#content].map(([digest, { bytes, storedAt }]) => ({
      digest,
      bytes: bytes.length,
      storedAt,
    }));
  }

  async delete(digest: Digest): Promise<void> {
    this.#content.delete(digest);
  }
}

export class MemoryCache implements Cache {
  readonly #entries = new Map<string, { readonly output: string; readonly expiresAt?: number }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(key: string): Promise<Json | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined || (entry.expiresAt !== undefined && entry.expiresAt <= this.#clock.now()))
      return undefined;
    return JSON.parse(entry.output) as Json;
  }

  async set(key: string, entry: Parameters<Cache['set']>[1]): Promise<void> {
    const expires = entry.expiresAt === undefined ? {} : { expiresAt: entry.expiresAt };
    this.#entries.set(key, { output: JSON.stringify(entry.output), ...expires });
  }

  async clear(): Promise<void> {
    this.#entries.clear();
  }
}

export class MemoryKnowledge implements MemoryStore {
  readonly #items = new Map<string, MemoryItem>();

  async put(item: MemoryItem): Promise<void> {
    this.#items.set(item.id, structuredClone(item));
  }

  async get(id: string): Promise<MemoryItem | undefined> {
    return this.#items.get(id);
  }

  async search(query: Parameters<MemoryStore['search']>[0]): Promise<readonly MemoryItem[]> {
    const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
    return [...this.#items.values()]
      .filter((item) => query.namespace === undefined || item.namespace === query.namespace)
      .filter((item) => words.every((word) => item.text.toLowerCase().includes(word)))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
      .slice(0, query.limit ?? 20);
  }

  async delete(id: string): Promise<void> {
    this.#items.delete(id);
  }
}
