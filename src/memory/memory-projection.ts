import { canonicalJson, type Digest, digestOf } from '../kernel/index.ts';
import {
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../ledger/index.ts';
import { subjectOf } from './fact-subject.ts';
import { type MemoryEventBodies, type MemoryEventData, namespaceOfStream } from './memory-events.ts';
import { splitText } from './split-text.ts';
import type { FactChange } from './types.ts';

/** The actor of events that maintenance writes. */
const MAINTENANCE = 'maintenance';

const FACTS: TableSpec = {
  name: 'facts',
  columns: {
    id: 'text',
    part: 'integer',
    start: 'integer',
    namespace: 'text',
    idx: 'integer',
    text: 'text',
    text_digest: 'text',
    key: 'text',
    subject: 'text',
    importance: 'integer',
    confidence: 'real',
    source: 'text',
    rests_on: 'json',
    expires_at: 'integer',
    superseded_by: 'text',
    candidate: 'integer',
    added_by: 'text',
    at: 'integer',
  },
  key: ['id', 'part'],
  indexes: [
    ['namespace', 'idx'],
    ['namespace', 'text_digest'],
    ['namespace', 'key'],
    ['namespace', 'subject'],
    ['expires_at'],
  ],
};

/** The changes of facts, without their texts. */
const CHANGES: TableSpec = {
  name: 'fact_changes',
  columns: {
    fact: 'text',
    idx: 'integer',
    namespace: 'text',
    change: 'text',
    other: 'text',
    actor: 'text',
    at: 'integer',
  },
  key: ['fact', 'namespace', 'idx', 'change'],
  indexes: [['namespace', 'idx'], ['other']],
};

const QUARANTINED: TableSpec = {
  name: 'quarantined_facts',
  columns: {
    id: 'text',
    namespace: 'text',
    idx: 'integer',
    text: 'text',
    text_digest: 'text',
    importance: 'integer',
    confidence: 'real',
    expires_at: 'integer',
    run: 'text',
    origin: 'text',
    at: 'integer',
  },
  key: ['id'],
  indexes: [
    ['namespace', 'idx'],
    ['namespace', 'text_digest'],
  ],
};

const EPISODES: TableSpec = {
  name: 'episodes',
  columns: {
    id: 'text',
    part: 'integer',
    start: 'integer',
    namespace: 'text',
    idx: 'integer',
    conversation: 'text',
    turn: 'integer',
    text: 'text',
    source: 'text',
    at: 'integer',
    tainted: 'integer',
  },
  key: ['id', 'part'],
  indexes: [['namespace', 'idx'], ['namespace', 'conversation', 'turn'], ['at']],
};

/** The tables of facts and episodes. */
export const memoryProjection: Projection = {
  name: 'memory',
  tables: [FACTS, CHANGES, QUARANTINED, EPISODES],
  types: new Set([
    'fact.added',
    'fact.affirmed',
    'fact.quarantined',
    'fact.reviewed',
    'fact.superseded',
    'fact.restored',
    'fact.deleted',
    'fact.pruned',
    'episode.recorded',
    'message.posted',
    'body.erased',
    'stream.archived',
    'ledger.adopted',
  ]),
  apply(event) {
    if (event.type === 'body.erased')
      return namedAddresses(event.data).flatMap(({ stream, index }) => deleteRows(stream, { idx: index }));
    if (event.type === 'stream.archived') return deleteRows(event.data['stream'] as string, {});
    if (event.type === 'ledger.adopted')
      return [{ table: 'episodes', patch: { tainted: 1 }, where: { tainted: 0 } }];
    if (event.type === 'message.posted') return messageRows(event);
    const namespace = namespaceOfStream(event.stream);
    return namespace === undefined
      ? []
      : [...changesOf(namespace, event), ...recordedChanges(namespace, event)];
  },
};

/** Texts that differ only in white space are the same fact. */
export function digestOfFact(text: string): Digest {
  return digestOf(text.normalize('NFC').trim().replaceAll(/\s+/gu, ' '));
}

function changesOf(namespace: string, event: LedgerEvent): readonly RowChange[] {
  switch (event.type) {
    case 'fact.added':
      return factRows(namespace, event);
    case 'fact.affirmed': {
      const { id, importance, confidence, expiresAt, confirmed } =
        event.data as unknown as MemoryEventData['fact.affirmed'];
      const known = { importance, confidence, expires_at: expiresAt ?? null };
      const patch = confirmed ? { ...known, candidate: 0 } : known;
      return [{ table: 'facts', patch, where: { id } }];
    }
    case 'fact.quarantined':
      return quarantinedRows(namespace, event);
    case 'fact.reviewed': {
      const { id, decision } = event.data as unknown as MemoryEventData['fact.reviewed'];
      const rejected = decision === 'rejected' ? [{ table: 'facts', delete: { id } }] : [];
      return [{ table: 'quarantined_facts', delete: { id } }, ...rejected];
    }
    case 'fact.superseded': {
      const { id, by } = event.data as unknown as MemoryEventData['fact.superseded'];
      return [{ table: 'facts', patch: { superseded_by: by }, where: { id } }];
    }
    case 'fact.restored':
      return [{ table: 'facts', patch: { superseded_by: null }, where: { id: event.data['id'] } }];
    case 'fact.deleted':
      return [{ table: 'facts', delete: { id: event.data['id'] } }];
    case 'fact.pruned': {
      const { ids } = event.data as unknown as MemoryEventData['fact.pruned'];
      return ids.map((id) => ({ table: 'facts', delete: { id } }));
    }
    case 'episode.recorded':
      return episodeRows(namespace, event);
    default:
      return [];
  }
}

/** A fact with erased text has no row. */
function factRows(namespace: string, event: LedgerEvent): RowChange[] {
  const data = event.data as unknown as MemoryEventData['fact.added'];
  const body = event.body as MemoryEventBodies['fact.added'] | undefined;
  if (body === undefined) return [];
  const row: Row = {
    id: data.id,
    namespace,
    idx: event.index,
    text_digest: digestOfFact(body.text),
    key: body.key ?? null,
    subject: subjectOf(body.text) ?? null,
    importance: data.importance,
    confidence: data.confidence,
    source: body.source ?? null,
    rests_on: body.restsOn === undefined ? null : canonicalJson(body.restsOn),
    expires_at: data.expiresAt ?? null,
    superseded_by: null,
    // Earlier versions did not mark what maintenance learned.
    candidate: data.candidate || event.actor === MAINTENANCE ? 1 : 0,
    added_by: event.actor,
    at: data.at,
  };
  // What a trusted source states is no longer in quarantine.
  const stated = { namespace, text_digest: digestOfFact(body.text) };
  return [
    ...splitText(body.text).map((piece, part) => ({ table: 'facts', put: { ...row, part, ...piece } })),
    { table: 'quarantined_facts', delete: stated },
  ];
}

/** The history of facts. A fact whose text was erased keeps its history. */
function recordedChanges(namespace: string, event: LedgerEvent): RowChange[] {
  const { type, data, index: idx, actor, at } = event;
  const row = (fact: unknown, change: FactChange['change'], other: unknown = null): RowChange => ({
    table: 'fact_changes',
    put: { fact: fact as string, idx, namespace, change, other: other as string | null, actor, at },
  });
  switch (type) {
    case 'fact.added':
      return [row(data['id'], 'added')];
    case 'fact.affirmed':
      return [row(data['id'], data['confirmed'] === true ? 'confirmed' : 'affirmed')];
    case 'fact.superseded':
      return [row(data['id'], 'superseded', data['by'])];
    case 'fact.restored':
      return [row(data['id'], 'restored', data['instead'])];
    case 'fact.reviewed':
      return data['decision'] === 'rejected' ? [row(data['id'], 'rejected')] : [];
    case 'fact.deleted':
      return [row(data['id'], 'deleted')];
    case 'fact.pruned':
      return (data['ids'] as readonly string[]).map((id) => row(id, 'deleted'));
    default:
      return [];
  }
}

function quarantinedRows(namespace: string, event: LedgerEvent): RowChange[] {
  const data = event.data as unknown as MemoryEventData['fact.quarantined'];
  const body = event.body as MemoryEventBodies['fact.quarantined'] | undefined;
  if (body === undefined) return [];
  const { id, importance, confidence, expiresAt, run, at } = data;
  const { text, origin } = body;
  const row: Row = {
    ...{ id, namespace, idx: event.index, text, text_digest: digestOfFact(text), importance, confidence },
    ...{ expires_at: expiresAt ?? null, run, origin: origin ?? null, at },
  };
  return [{ table: 'quarantined_facts', put: row }];
}

function episodeRows(namespace: string, event: LedgerEvent): RowChange[] {
  const { id, at, turn } = event.data as unknown as MemoryEventData['episode.recorded'];
  const body = event.body as MemoryEventBodies['episode.recorded'] | undefined;
  if (body === undefined) return [];
  return splitText(body.text).map(({ start, text }, part) => ({
    table: 'episodes',
    put: {
      id,
      part,
      start,
      namespace,
      idx: event.index,
      conversation: body.conversation ?? null,
      turn: turn ?? null,
      text,
      source: body.source ?? null,
      at,
      tainted: 0,
    },
  }));
}

/** A message is stored once, in its conversation; here it only becomes searchable. */
function messageRows(event: LedgerEvent): RowChange[] {
  const namespace = namespaceOfStream(event.stream);
  const text = (event.body as { readonly text?: string } | undefined)?.text;
  if (namespace === undefined || text === undefined) return [];
  const { stream, index: idx, at } = event;
  const conversation = stream.slice(stream.indexOf('/') + 1);
  const source = event.data['from'] as string;
  const tainted = event.data['tainted'] === true ? 1 : 0;
  const shared = { id: `${stream}/${idx}`, namespace, idx, conversation, turn: idx, source, at, tainted };
  return splitText(text).map((piece, part) => ({ table: 'episodes', put: { ...shared, part, ...piece } }));
}

function deleteRows(stream: string, place: Row): RowChange[] {
  const namespace = namespaceOfStream(stream);
  if (namespace === undefined) return [];
  const tables = ['facts', 'quarantined_facts', 'episodes'];
  // An archived stream takes its history along; an erased text does not.
  if (!('idx' in place)) tables.push('fact_changes');
  return tables.map((table) => ({ table, delete: { namespace, ...place } }));
}
