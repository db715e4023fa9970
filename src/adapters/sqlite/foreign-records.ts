// Owns: reading the events of a database that came from elsewhere.
// I1 Only rows of plain tables are read, on a connection that cannot write: no view, virtual table, generated column, trigger or index
//    of the file decides what is read. Whether the rows are a ledger is for the chain to say.
import { OkaError } from '../../kernel/index.ts';
import type { EventRecord, LedgerErrorCode, MirrorRecord } from '../../ledger/index.ts';
import { arrays, type Database } from './driver.ts';
import { type EventRow, toRecord } from './event-rows.ts';
import { openUnchanged } from './open-for-reading.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** The columns of an event, in the order that `toRecord` reads after the second, which is the name of the stream. */
const EVENT = ['seq', 'idx', 'type', 'at', 'actor', 'ends', 'data', 'body', 'salt', 'body_digest', 'chain'];
const TABLES = {
  streams: ['id', 'name'],
  events: [...EVENT, 'stream_id'],
  archived_events: ['seq', 'chain'],
};

const READ_EVENTS = `SELECT ${EVENT.map((column) => `e.${column}`).toSpliced(1, 0, 's.name')}
  FROM main.events AS e NOT INDEXED CROSS JOIN main.streams AS s NOT INDEXED
  ON +s.id = +e.stream_id WHERE e.seq > 0 ORDER BY +e.seq`;
const READ_ARCHIVED = 'SELECT seq, chain FROM main.archived_events NOT INDEXED WHERE seq > 0 ORDER BY +seq';

/** All records of a foreign database, in order. Throws `ledger.damaged` where it is none. */
export function* foreignRecords(file: string): Generator<MirrorRecord> {
  const { database, discard } = openUnchanged(file);
  try {
    database.exec('BEGIN');
    requirePlainTables(database, file);
    yield* records(database);
    database.exec('ROLLBACK');
  } catch (error) {
    throw translateSqliteError(error, file);
  } finally {
    database.close();
    discard();
  }
}

function requirePlainTables(database: Database, file: string): void {
  const kindOf = database.prepare("SELECT type FROM pragma_table_list(?) WHERE schema = 'main'");
  const columnsOf = database.prepare("SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0");
  for (const [table, columns] of Object.entries(TABLES)) {
    const kind = (kindOf.get(table) as { type: string } | undefined)?.type;
    if (kind !== 'table')
      throw notLedger(file, `its ${table} are ${kind === undefined ? 'missing' : `a ${kind}`}`);
    const stored = new Set((columnsOf.all(table) as { name: string }[]).map(({ name }) => name));
    for (const column of columns)
      if (!stored.has(column)) throw notLedger(file, `its ${table} have no plain column ${column}`);
  }
}

/** Archived records are where an event is missing. */
function* records(database: Database): Generator<MirrorRecord> {
  const archived = database.prepare(READ_ARCHIVED).iterate() as unknown as Iterator<{
    seq: number;
    chain: string;
  }>;
  let gap = archived.next();
  const before = function* (seq: number): Generator<MirrorRecord> {
    for (; !gap.done && gap.value.seq < seq; gap = archived.next()) yield { archived: { ...gap.value } };
  };
  for (const row of arrays(database.prepare(READ_EVENTS)).iterate() as unknown as Iterable<EventRow>) {
    const event = toRecord(row);
    requireTypes(event);
    yield* before(event.seq);
    yield { event };
  }
}

/** A table that is not strict holds any type in any column. */
function requireTypes(event: EventRecord): void {
  const { seq, index, at, stream, type, actor, dataText, chain, bodyText, salt, bodyDigest } = event;
  const isSound =
    [seq, index, at].every(Number.isSafeInteger) &&
    [stream, type, actor, dataText, chain].every((value) => typeof value === 'string') &&
    [bodyText, salt, bodyDigest].every((value) => value === null || typeof value === 'string');
  if (!isSound) throw notLedger('the database', `event ${String(seq)} has values of other types`);
}

function notLedger(file: string, why: string): OkaError {
  return new OkaError<LedgerErrorCode>(
    'ledger.damaged',
    `${file} is no ledger that can be adopted: ${why}. Nothing was changed. Leave it out: trust the folder without --adopt-ledger.`,
    { data: { file, why } },
  );
}
