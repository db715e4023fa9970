import { type EventRecord, LedgerEvent } from '../../ledger/index.ts';
import type { Statement } from './driver.ts';

/** The columns of an event joined with its stream's name, in the order that `toEvent` reads. */
export const EVENT_COLUMNS =
  'e.seq, s.name, e.idx, e.type, e.at, e.actor, e.ends, e.data, e.body, e.salt, e.body_digest, e.chain';

/** The statement that `insertEvent` runs. */
export const INSERT_EVENT = `INSERT INTO events (seq, stream_id, idx, at, type, actor, ends, chain, salt, body_digest, data, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function insertEvent(insert: Statement, streamId: number, event: EventRecord): void {
  insert.run(
    event.seq,
    streamId,
    event.index,
    event.at,
    event.type,
    event.actor,
    event.ends ? 1 : 0,
    event.chain,
    event.salt,
    event.bodyDigest,
    event.dataText,
    event.bodyText,
  );
}

type Text = string | null;
export type EventRow = readonly [
  number,
  string,
  number,
  string,
  number,
  string,
  number,
  string,
  Text,
  Text,
  Text,
  string,
];

export function toRecord(row: EventRow): EventRecord {
  return {
    seq: row[0],
    stream: row[1],
    index: row[2],
    type: row[3],
    at: row[4],
    actor: row[5],
    ends: row[6] === 1,
    dataText: row[7],
    bodyText: row[8],
    salt: row[9],
    bodyDigest: row[10],
    chain: row[11],
  };
}

export function toEvent(row: EventRow): LedgerEvent {
  return new LedgerEvent(toRecord(row));
}
