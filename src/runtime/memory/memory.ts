import {
  indexTexts,
  isDiskRefusal,
  SqliteMemoryRecords,
  SqliteTextSearch,
  SqliteVectors,
} from '../../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type {
  AddedFactView,
  AddFactRequest,
  FactView,
  MemoryApi,
  MemoryStatsAnswer,
} from '../../api/index.ts';
import { type Clock, OkaError, type Random, sortableIds } from '../../kernel/index.ts';
import {
  conversationWindow,
  DEFAULT_NAMESPACE,
  digestOfFact,
  exportMemory,
  type FactReading,
  type Found,
  importMemory,
  Memory,
  type MemoryErrorCode,
  NO_NODE_VERSIONS,
  type NodeVersions,
  WINDOW_LIMITS,
} from '../../memory/index.ts';
import type { Embedder } from '../../retrieval/index.ts';
import type { MemoryKeeper } from '../../tools/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { type ErasureBench, eraseContent } from './erase-content.ts';
import { unexpiredHits } from './unexpired-hits.ts';

/** What memory needs of the workspace; a `Workbench` has it all. */
export interface MemoryWorkbench extends ErasureBench {
  readonly folder: Pick<WorkspaceFolder, 'database' | 'discardBackups'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Which version of a workspace node is there now; nothing is known of any unless told. */
  readonly nodes?: NodeVersions;
  /** Makes the vectors of texts; without it only words find. */
  readonly embedder?: Embedder;
  /** For looking. */
  readonly ledger: () => OpenLedger;
  /** For looking, where the disk cannot be written and something has to be. */
  readonly ledgerCopy?: () => OpenLedger;
  readonly requireTrust: () => void;
  readonly config: () => Promise<{ readonly alwaysSync: boolean }>;
  readonly writable: (alwaysSync: boolean) => Promise<OpenLedger>;
  readonly surroundings: () => Promise<{ readonly primeRedactor: () => Promise<void> }>;
}

/** The memory on a ledger. Its writers must be asked only once the ledger may be written. */
export function memoryOn(
  bench: MemoryWorkbench,
  ledger: OpenLedger,
): { memory: Memory; records: SqliteMemoryRecords; vectors: SqliteVectors } {
  const { clock, random, folder } = bench;
  const records = new SqliteMemoryRecords(ledger.database, folder.database);
  const vectors = new SqliteVectors(ledger.database, bench.embedder);
  const memory = new Memory({
    events: ledger.events,
    records,
    search: new SqliteTextSearch(ledger.database, folder.database),
    vectors,
    runs: records,
    nodes: bench.nodes ?? NO_NODE_VERSIONS,
    erasure: { erase: (events, by, reason) => eraseContent(bench, ledger, { events, by, reason }) },
    clock,
    ids: sortableIds(clock, random),
  });
  return { memory, records, vectors };
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
  /** Memory whose index holds everything. Where the disk refuses to take the index, a copy has it. */
  const searching = async (): Promise<Memory> => {
    try {
      await indexTexts(bench.ledger().database);
    } catch (error) {
      if (!isDiskRefusal(error) || bench.ledgerCopy === undefined) throw error;
      return on(bench.ledgerCopy()).memory;
    }
    return reading().memory;
  };
  const opening = async (): Promise<ReturnType<typeof memoryOn>> => {
    bench.requireTrust();
    const { alwaysSync } = await bench.config();
    const ledger = await bench.writable(alwaysSync);
    await (await bench.surroundings()).primeRedactor();
    return on(ledger);
  };
  const writing = async (): Promise<Memory> => (await opening()).memory;
  const shown = async (found: Found): Promise<Found> => {
    const from = { ledger: bench.ledger(), file: bench.folder.database, now: bench.clock.now() };
    return { ...found, hits: await unexpiredHits(found.hits, from) };
  };
  return {
    stats: async () => {
      const { records } = reading();
      const window = await newestWindow(records);
      return { ...(await records.counts(bench.clock.now())), ...(window === undefined ? {} : { window }) };
    },
    addFact: async (request) => addFact(await writing(), request, bench.clock.now()),
    getFact: async (id) => viewFact(await reading().memory.fact(id)),
    listFacts: async (filter) => (await reading().memory.facts(filter)).map(viewFact),
    searchFacts: async (request) => (await searching()).findFacts(request),
    deleteFact: async (id, by) => (await writing()).deleteFact(id, by),
    pruneFacts: async ({ by, ...options }) => (await writing()).pruneFacts(options, by),
    recordEpisodes: async (episodes, by) => (await writing()).recordEpisodes(episodes, by),
    days: async (limit) => reading().records.days(limit),
    searchDaily: async (request) => shown(await (await searching()).findDaily(request)),
    retrieve: async (request) => shown(await (await searching()).retrieve(request)),
    importLines: async (lines, by) => {
      const { memory, vectors } = await opening();
      const report = await importMemory(memory, lines, by);
      await vectors.catchUp();
      return report;
    },
    reindex: async ({ onProgress }) => (await opening()).vectors.rebuild(onProgress),
    exportLines: async (options) => exportMemory(reading().records, { ...options, now: bench.clock.now() }),
  };
}

async function newestWindow(records: SqliteMemoryRecords): Promise<MemoryStatsAnswer['window']> {
  const newest = await records.newestConversation();
  if (newest === undefined) return undefined;
  const { namespace, conversation } = newest;
  const last = await records.conversation(namespace, conversation, WINDOW_LIMITS.messages);
  const { messages, tokens } = conversationWindow(last);
  const dropped = newest.messages - messages.length;
  return { conversation, messages: messages.length, tokens, cap: WINDOW_LIMITS.tokens, dropped };
}

/** How sure a fact is that a run has remembered after it read what strangers wrote. */
const UNTRUSTED_CONFIDENCE = 0.3;
const UNTRUSTED_IMPORTANCE = 3;
const UNTRUSTED = ' (untrusted)';

/** What the memory tools of runs are given. Facts say which run they come from, and whether it had read what strangers wrote. */
export function memoryKeeper(bench: MemoryWorkbench): MemoryKeeper {
  const api = openMemory(bench);
  return {
    remember: async ({ run, ...fact }) => {
      const untrusted = await hasReadStrangers(bench.ledger(), run);
      const standing = untrusted ? await standingFact(bench, fact) : undefined;
      // What strangers wrote must not change what is known.
      if (standing !== undefined) return { id: standing, outcome: 'known', untrusted };
      const doubt = untrusted
        ? {
            confidence: UNTRUSTED_CONFIDENCE,
            importance: Math.min(fact.importance ?? 3, UNTRUSTED_IMPORTANCE),
          }
        : {};
      const source = `run ${run}${untrusted ? UNTRUSTED : ''}`;
      const { fact: kept, outcome } = await api.addFact({ ...fact, ...doubt, source, by: `run:${run}` });
      return { id: kept.id, outcome, untrusted };
    },
    recall: async (request) => {
      const { hits, degraded } = await api.retrieve(request);
      const shown = hits.map(({ kind, id, text, score, at, source }) => ({
        ...{ kind, id, text, score, at },
        ...(source === undefined ? {} : { source }),
        ...(source?.endsWith(UNTRUSTED) ? { untrusted: true as const } : {}),
      }));
      return { hits: shown, degraded };
    },
    forget: (id, run) => api.deleteFact(id, `run:${run}`),
  };
}

async function hasReadStrangers({ events }: Pick<OpenLedger, 'events'>, run: string): Promise<boolean> {
  return (await events.read(`run/${run}`)).some(({ data }) => data['untrusted'] === true);
}

async function standingFact(
  bench: MemoryWorkbench,
  { text, namespace }: { readonly text: string; readonly namespace?: string },
): Promise<string | undefined> {
  const { records } = memoryOn(bench, bench.ledger());
  const like = { textDigests: [digestOfFact(text)], keys: [] };
  return (await records.liveFacts(namespace ?? DEFAULT_NAMESPACE, like, bench.clock.now()))[0]?.id;
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
