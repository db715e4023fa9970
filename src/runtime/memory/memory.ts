import { isAbsolute, relative, resolve, sep } from 'node:path';
import { readWordVectors } from '../../adapters/embeddings/index.ts';
import { SqlMemoryRecords } from '../../adapters/sql/index.ts';
import { indexTexts, isDiskRefusal, SqliteTextSearch, SqliteVectors } from '../../adapters/sqlite/index.ts';
import { GONE } from '../../adapters/workspace-tree/index.ts';
import type {
  AddedFactView,
  AddFactRequest,
  FactView,
  MemoryApi,
  MemoryStatsAnswer,
  ReviewedFactView,
} from '../../api/index.ts';
import { untrustedSources } from '../../engine/index.ts';
import { describeFreshness, type Freshness, OkaError, sortableIds } from '../../kernel/index.ts';
import {
  type CandidateReading,
  conversationWindow,
  exportMemory,
  type FactChange,
  type FactReading,
  type Found,
  importMemory,
  Memory,
  type MemoryErrorCode,
  NO_NODE_VERSIONS,
  type QuarantinedFact,
  type RestsOn,
  spokenWords,
  WINDOW_LIMITS,
} from '../../memory/index.ts';
import type { MemoryService } from '../../tools/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { cutPage, parseCursor } from '../services/cursor.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { type ErasureServices, eraseContent } from './erase-content.ts';
import { eraseFact, placesOf, viewPlace } from './fact-erasure.ts';
import { unexpiredHits } from './unexpired-hits.ts';

export type MemoryServices = ErasureServices &
  Pick<WorkspaceServices, 'folder' | 'clock' | 'random' | 'ledger' | 'writableRedacted'> &
  Partial<Pick<WorkspaceServices, 'nodes' | 'embedder' | 'ledgerCopy'>>;

/** The memory on a ledger. Its writers must be asked only once the ledger may be written. */
export function memoryOn(
  services: MemoryServices,
  ledger: OpenLedger,
): { memory: Memory; records: SqlMemoryRecords; vectors: SqliteVectors } {
  const { clock, random, folder } = services;
  const records = new SqlMemoryRecords(ledger.tables);
  const vectors = new SqliteVectors(ledger.database, services.embedder);
  const memory = new Memory({
    events: ledger.events,
    records,
    search: new SqliteTextSearch(ledger.database, folder.database),
    vectors,
    wordVectors: readWordVectors,
    runs: records,
    nodes: services.nodes ?? NO_NODE_VERSIONS,
    erasure: { erase: (events, by, reason) => eraseContent(services, ledger, { events, by, reason }) },
    clock,
    ids: sortableIds(clock, random),
  });
  return { memory, records, vectors };
}

/** One memory for each open ledger, so that its writers wait for each other. */
const opened = new WeakMap<OpenLedger, ReturnType<typeof memoryOn>>();

/** All that can be done with memory on one workspace. */
export function openMemory(services: MemoryServices): MemoryApi {
  const on = (ledger: OpenLedger): ReturnType<typeof memoryOn> => {
    const known = opened.get(ledger) ?? memoryOn(services, ledger);
    opened.set(ledger, known);
    return known;
  };
  const reading = (): ReturnType<typeof memoryOn> => on(services.ledger());
  /** Memory whose index holds everything. Where the disk refuses to take the index, a copy has it. */
  const searching = async (): Promise<Memory> => {
    const ledger = services.ledger();
    await ledger.refresh();
    try {
      await indexTexts(ledger.database);
    } catch (error) {
      if (!isDiskRefusal(error) || services.ledgerCopy === undefined) throw error;
      return on(services.ledgerCopy()).memory;
    }
    return reading().memory;
  };
  const opening = async (): Promise<ReturnType<typeof memoryOn>> => {
    const ledger = await services.writableRedacted();
    return on(ledger);
  };
  const writing = async (): Promise<Memory> => (await opening()).memory;
  const shown = async (found: Found): Promise<Found> => {
    const from = { ledger: services.ledger(), now: services.clock.now() };
    return { ...found, hits: await unexpiredHits(found.hits, from) };
  };
  return {
    stats: async () => {
      const { records } = reading();
      const window = await newestWindow(records);
      return { ...(await records.counts(services.clock.now())), ...(window === undefined ? {} : { window }) };
    },
    addFact: async ({ file, ...request }) => {
      const basis = file === undefined ? {} : { restsOn: await fileVersion(services, file) };
      return addFact(await writing(), { ...request, ...basis }, services.clock.now());
    },
    getFact: async (id) => viewFact(await reading().memory.fact(id)),
    listFacts: async (filter) => (await reading().memory.facts(filter)).map(viewFact),
    pageFacts: async ({ limit, cursor, ...filter }) => {
      const after = cursor === undefined ? {} : { after: parseCursor(cursor) };
      // One more tells whether there is a next page.
      const page = { ...filter, ...after, newestFirst: true, limit: limit + 1 };
      const found = await reading().memory.facts(page);
      return cutPage(found.map(viewFact), limit, ({ at, id }) => ({ at, id }));
    },
    searchFacts: async (request) => (await searching()).findFacts(request),
    review: async (filter) => {
      const { memory } = reading();
      const [held, candidates] = [await memory.quarantined(filter), await memory.candidates(filter)];
      return [...held.map(viewQuarantined), ...candidates.map(viewCandidate)]
        .sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
        .slice(0, filter.limit);
    },
    history: async (id) => {
      const { memory } = reading();
      const { versions, changes } = await memory.history(id);
      const facts = await Promise.all(versions.map((fact) => memory.fact(fact.id)));
      const sources = new Map(facts.map((fact) => [fact.id, fact.source]));
      return {
        versions: facts.map(viewFact),
        changes: changes.map((one) => ({ ...one, ...runOf(one, sources.get(one.fact)) })),
      };
    },
    undoFact: async (id, by) => {
      const memory = await writing();
      const { restored, undone } = await memory.undoFact(id, by);
      const facts = await Promise.all(restored.map((one) => memory.fact(one)));
      return { restored: facts.map(viewFact), undone };
    },
    confirmFact: async (id, by) => {
      const memory = await writing();
      const { id: fact, outcome, superseded } = await memory.confirmFact(id, by);
      return { fact: viewFact(await memory.fact(fact)), outcome, superseded };
    },
    rejectFact: async (id, by) => (await writing()).rejectFact(id, by),
    deleteFact: async (id, by) => (await writing()).deleteFact(id, by),
    factPlaces: async (id) => {
      const { memory } = reading();
      return (await placesOf(services, services.ledger(), await memory.fact(id))).map(viewPlace);
    },
    eraseFact: async (request) => {
      const ledger = await services.writableRedacted();
      return eraseFact(services, { ledger, memory: on(ledger).memory }, request);
    },
    pruneFacts: async ({ by, ...options }) => (await writing()).pruneFacts(options, by),
    recordEpisodes: async (episodes, by) => (await writing()).recordEpisodes(episodes, by),
    days: async (limit) => reading().records.days(limit),
    searchDaily: async (request) => shown(await (await searching()).findDaily(request)),
    retrieve: async (request) => shown(await (await searching()).retrieve(request)),
    importLines: async (lines, by, onProgress) => {
      const { memory, vectors } = await opening();
      const report = await importMemory(memory, lines, by, onProgress);
      await vectors.catchUp();
      return report;
    },
    reindex: async ({ onProgress }) => (await opening()).vectors.rebuild(onProgress),
    exportLines: async (options) =>
      exportMemory(reading().records, { ...options, now: services.clock.now() }),
  };
}

async function newestWindow(records: SqlMemoryRecords): Promise<MemoryStatsAnswer['window']> {
  const newest = await records.newestConversation();
  if (newest === undefined) return undefined;
  const { namespace, conversation } = newest;
  const last = await records.conversation(namespace, conversation, WINDOW_LIMITS.messages);
  const { messages, tokens } = conversationWindow(last);
  const dropped = newest.messages - messages.length;
  return { conversation, messages: messages.length, tokens, cap: WINDOW_LIMITS.tokens, dropped };
}

/** The confidence of a fact that a run stated after it had read untrusted content. */
const UNTRUSTED_CONFIDENCE = 0.3;
/** The suffix of the source of such a fact in ledgers of earlier versions. */
const UNTRUSTED = ' (untrusted)';

/** The memory capability of runs. Facts record their run; those of a run that had read untrusted content are quarantined. */
export function memoryKeeper(services: MemoryServices): MemoryService {
  const api = openMemory(services);
  const quarantine = (ledger: OpenLedger, ...fact: Parameters<Memory['quarantineFact']>) => {
    const known = opened.get(ledger) ?? memoryOn(services, ledger);
    opened.set(ledger, known);
    return known.memory.quarantineFact(...fact);
  };
  return {
    remember: async ({ run, untrusted: isUntrusted = false, ...fact }) => {
      const by = `run:${run}`;
      const sources = untrustedSources(await services.ledger().events.read(`run/${run}`));
      if (!isUntrusted && sources.length === 0) {
        const candidate = !(await isPersonsStatement(services.ledger(), run, fact.text));
        const { fact: kept, outcome } = await api.addFact({ ...fact, source: `run ${run}`, candidate, by });
        return { id: kept.id, outcome, untrusted: false };
      }
      const ledger = await services.writableRedacted();
      const { ttlMs, file: _file, ...stated } = fact;
      const expiry = ttlMs === undefined ? {} : { expiresAt: expiryOf(ttlMs, services.clock.now()) };
      const held = { ...stated, ...expiry, confidence: UNTRUSTED_CONFIDENCE };
      const origin = sources.map(({ what }) => what).join('; ');
      const from = { run, ...(origin === '' ? {} : { origin }) };
      return { ...(await quarantine(ledger, held, from, by)), untrusted: true };
    },
    recall: async (request) => {
      const { hits, degraded } = await api.retrieve(request);
      const shown = hits.map(({ kind, id, text, score, at, source, ...hit }) => ({
        ...{ kind, id, text, score, at, ...stateOf(hit) },
        ...(source === undefined ? {} : { source }),
        ...(source?.endsWith(UNTRUSTED) ? { untrusted: true as const } : {}),
      }));
      return { hits: shown, degraded };
    },
    facts: async (limit) =>
      (await api.pageFacts({ limit })).items.map(({ id, text, at, ...fact }) => ({
        id,
        text,
        at,
        ...stateOf(fact),
      })),
    forget: (id, run) => api.deleteFact(id, `run:${run}`),
  };
}

/** In words, if it is not fresh. */
function stateOf(freshness: Freshness): { readonly state?: string } {
  const state = describeFreshness(freshness);
  return state === '' ? {} : { state };
}

/** Whether the person who gave the goal of a run said the same words in it. */
async function isPersonsStatement(ledger: OpenLedger, run: string, text: string): Promise<boolean> {
  const [started] = await ledger.events.read(`run/${run}`, 0);
  const goal = (started?.body as { readonly goal?: string } | undefined)?.goal ?? '';
  const { lineage } = (started?.data ?? {}) as { readonly lineage?: { readonly parent?: string } };
  return lineage?.parent === undefined && spokenWords(goal).includes(spokenWords(text));
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

function viewQuarantined({ index: _index, ...fact }: QuarantinedFact): ReviewedFactView {
  return { ...fact, status: 'quarantined' };
}

function viewCandidate(fact: CandidateReading): ReviewedFactView {
  const { id, namespace, text, importance, confidence, expiresAt, source, contradicts, at } = fact;
  return {
    ...{ id, namespace, text, importance, confidence, status: 'candidate', contradicts, at },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(source === undefined ? {} : { source }),
  };
}

/** The run of a change: the one that wrote it, or the one whose words were learned. */
function runOf({ by, change }: FactChange, source: string | undefined): { readonly run?: string } {
  const run =
    /^run:(.+)$/.exec(by)?.[1] ?? (change === 'added' ? /^run[ /](\S+)/.exec(source ?? '')?.[1] : undefined);
  return run === undefined ? {} : { run };
}

/** The current version of a file or folder, which a fact rests on. */
async function fileVersion(services: MemoryServices, file: string): Promise<RestsOn> {
  const { workspace } = services.folder;
  const path = relative(workspace, resolve(workspace, file)).split(sep).join('/');
  const isOutside = path === '..' || path.startsWith('../') || isAbsolute(path);
  const { version } = (isOutside ? undefined : await services.nodes?.versionsOf([path]))?.get(path) ?? {};
  if (version !== undefined && version !== GONE) return { path, version };
  const code: MemoryErrorCode = 'memory.invalid';
  throw new OkaError(
    code,
    `"${file}" is no file or folder in ${workspace} that can be compared. Nothing was stored. Check the path; for a folder, run first: oka context scan`,
    { data: { field: 'file' } },
  );
}

function viewFact({ index: _index, ...fact }: FactReading): FactView {
  return fact;
}
