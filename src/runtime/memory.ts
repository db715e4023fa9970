import { ensureMemoryIndex, SqliteMemoryRecords, SqliteTextSearch } from '../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../adapters/workspace/index.ts';
import type { AddedFactView, AddFactRequest, FactView, MemoryApi } from '../api/index.ts';
import { type Clock, OkaError, type Random, sortableIds } from '../kernel/index.ts';
import type { EventAddress } from '../ledger/index.ts';
import {
  exportMemory,
  type FactReading,
  importMemory,
  Memory,
  type MemoryErrorCode,
  NO_NODE_VERSIONS,
  type NodeVersions,
} from '../memory/index.ts';
import type { OpenLedger } from './open-ledger.ts';

/** What memory needs of the workspace; a `Workbench` has it all. */
export interface MemoryWorkbench {
  readonly folder: Pick<WorkspaceFolder, 'database' | 'discardKept'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Which version of a workspace node is there now; nothing is known of any unless told. */
  readonly nodes?: NodeVersions;
  /** For looking. */
  readonly ledger: () => OpenLedger;
  readonly requireTrust: () => void;
  readonly config: () => Promise<{ readonly alwaysSync: boolean }>;
  readonly writable: (alwaysSync: boolean) => Promise<OpenLedger>;
  readonly surroundings: () => Promise<{ readonly primeRedactor: () => Promise<void> }>;
}

/** The memory on a ledger. Its writers must be asked only once the ledger may be written. */
export function memoryOn(
  bench: MemoryWorkbench,
  ledger: OpenLedger,
): { memory: Memory; records: SqliteMemoryRecords } {
  const { clock, random, folder } = bench;
  const records = new SqliteMemoryRecords(ledger.database, folder.database);
  const memory = new Memory({
    events: ledger.events,
    records,
    search: new SqliteTextSearch(ledger.database, folder.database),
    runs: records,
    nodes: bench.nodes ?? NO_NODE_VERSIONS,
    erasure: { erase: async (events, by, reason) => erase(bench, ledger, { events, by, reason }) },
    clock,
    ids: sortableIds(clock, random),
  });
  return { memory, records };
}

function erase(
  { folder }: MemoryWorkbench,
  ledger: OpenLedger,
  {
    events,
    by,
    reason,
  }: { readonly events: readonly EventAddress[]; readonly by: string; readonly reason: string },
): void {
  // Refuses here, before anything is erased, when another process writes the mirror.
  ledger.mirror.erase([]);
  ensureMemoryIndex(ledger.database);
  folder.discardKept();
  ledger.archive.erase(events, by, reason);
  ledger.mirror.erase(events);
}

/** One memory for each open ledger, so that its writers wait for each other. */
const opened = new WeakMap<OpenLedger, ReturnType<typeof memoryOn>>();

/** All that can be done with memory on one workspace. */
export function openMemory(bench: MemoryWorkbench): MemoryApi {
  const on = (ledger: OpenLedger): ReturnType<typeof memoryOn> => {
    const known = opened.get(ledger) ?? memoryOn(bench, ledger);
    opened.set(ledger, known);
    return known;
  };
  const reading = (): ReturnType<typeof memoryOn> => on(bench.ledger());
  const writing = async (): Promise<Memory> => {
    bench.requireTrust();
    const { alwaysSync } = await bench.config();
    const ledger = await bench.writable(alwaysSync);
    await (await bench.surroundings()).primeRedactor();
    return on(ledger).memory;
  };
  return {
    stats: async () => reading().records.counts(bench.clock.now()),
    addFact: async (request) => addFact(await writing(), request, bench.clock.now()),
    getFact: async (id) => viewFact(await reading().memory.fact(id)),
    listFacts: async (filter) => (await reading().memory.facts(filter)).map(viewFact),
    searchFacts: async (request) => reading().memory.findFacts(request),
    deleteFact: async (id, by) => (await writing()).deleteFact(id, by),
    pruneFacts: async ({ by, ...options }) => (await writing()).pruneFacts(options, by),
    recordEpisodes: async (episodes, by) => (await writing()).recordEpisodes(episodes, by),
    days: async (limit) => reading().records.days(limit),
    searchDaily: async (request) => reading().memory.findDaily(request),
    retrieve: async (request) => reading().memory.retrieve(request),
    importLines: async (lines, by) => importMemory(await writing(), lines, by),
    exportLines: async (options) => exportMemory(reading().records, { ...options, now: bench.clock.now() }),
  };
}

async function addFact(memory: Memory, request: AddFactRequest, now: number): Promise<AddedFactView> {
  const { by, ttlMs, ...fact } = request;
  const expiry = ttlMs === undefined ? {} : { expiresAt: expiryOf(ttlMs, now) };
  const { id, outcome, superseded } = await memory.addFact({ ...fact, ...expiry }, by);
  return { fact: viewFact(await memory.fact(id)), outcome, superseded };
}

function expiryOf(ttlMs: number, now: number): number {
  if (ttlMs > 0) return Math.round(now + ttlMs);
  const code: MemoryErrorCode = 'memory.invalid';
  throw new OkaError(code, 'a fact must hold for longer than no time at all; give more days.', {
    data: { field: 'ttlMs' },
  });
}

function viewFact({ index: _index, ...fact }: FactReading): FactView {
  return fact;
}
