import { type EventRecord, LedgerEvent, type LedgerHead } from '../../ledger/index.ts';
import type { SqlStatement } from './folded-tables.ts';
import { fromStored, toStored } from './stored-text.ts';

/** The columns of an event joined with its stream's name, in the order that `toRecord` reads. */
export const EVENT_COLUMNS =
  'e.seq, s.name, e.idx, e.type, e.at, e.actor, e.ends, e.data, e.body, e.salt, e.body_digest, e.chain';

type Column = readonly [name: string, type: string, value: (event: EventRecord) => string | number | null];

const COLUMNS: readonly Column[] = [
  ['seq', 'bigint', (event) => event.seq],
  ['idx', 'bigint', (event) => event.index],
  ['at', 'bigint', (event) => event.at],
  ['type', 'text', (event) => toStored(event.type)],
  ['actor', 'text', (event) => toStored(event.actor)],
  ['ends', 'smallint', (event) => (event.ends ? 1 : 0)],
  ['chain', 'text', (event) => event.chain],
  ['salt', 'text', (event) => event.salt],
  ['body_digest', 'text', (event) => event.bodyDigest],
  ['data', 'text', (event) => event.dataText],
  ['body', 'text', (event) => event.bodyText],
];

function insertColumns(events: readonly EventRecord[], idOf: (stream: string) => number, first: number) {
  const names = COLUMNS.map(([name]) => name).join(', ');
  const types = ['bigint', ...COLUMNS.map(([, type]) => type)];
  return {
    into: `INSERT INTO events (stream_id, ${names})`,
    rows: `unnest(${types.map((type, i) => `$${first + i}::${type}[]`).join(', ')})`,
    values: [events.map(({ stream }) => idOf(stream)), ...COLUMNS.map(([, , value]) => events.map(value))],
  };
}

export function insertEvents(events: readonly EventRecord[], idOf: (stream: string) => number): SqlStatement {
  const { into, rows, values } = insertColumns(events, idOf, 1);
  return { text: `${into} SELECT * FROM ${rows}`, values };
}

/**
 * Takes the lock of the ledger, checks the shape of its tables and that it has the event before, inserts the events, and
 * notifies other processes. It is one statement, because a step without changes of tables is then one round trip.
 */
export function appendEvents(
  events: readonly EventRecord[],
  idOf: (stream: string) => number,
  ledger: {
    readonly schema: string;
    readonly shape: string;
    readonly channel: string;
    readonly after: LedgerHead;
  },
): SqlStatement {
  const { into, rows, values } = insertColumns(events, idOf, 6);
  return {
    text: `WITH ready AS MATERIALIZED (
        SELECT pg_advisory_xact_lock(hashtextextended($1, 1)), pg_notify($3, ''), require_fold(
          CASE WHEN $4::bigint = 0 OR EXISTS (SELECT 1 FROM events WHERE seq = $4 AND chain = $5) THEN $2 ELSE '' END))
      ${into} SELECT added.* FROM ready, ${rows} AS added`,
    values: [ledger.schema, ledger.shape, ledger.channel, ledger.after.seq, ledger.after.hash, ...values],
  };
}

export function insertStreams(streams: ReadonlyMap<string, number>): SqlStatement {
  return {
    text: 'INSERT INTO streams (id, name) SELECT * FROM unnest($1::bigint[], $2::text[])',
    values: [[...streams.values()], [...streams.keys()].map(toStored)],
  };
}

type Text = string | null;

export function toRecord(row: readonly unknown[]): EventRecord {
  return {
    seq: row[0] as number,
    stream: fromStored(row[1] as string),
    index: row[2] as number,
    type: fromStored(row[3] as string),
    at: row[4] as number,
    actor: fromStored(row[5] as string),
    ends: row[6] === 1,
    dataText: row[7] as string,
    bodyText: row[8] as Text,
    salt: row[9] as Text,
    bodyDigest: row[10] as Text,
    chain: row[11] as string,
  };
}

export function toEvent(row: readonly unknown[]): LedgerEvent {
  return new LedgerEvent(toRecord(row));
}
