import type { LedgerHead, MirrorRecord } from '../../ledger/index.ts';
import { EMPTY_LEDGER } from '../../ledger/index.ts';
import type { Querier } from './connection.ts';
import { EVENT_COLUMNS, toRecord } from './event-rows.ts';

export async function headOf(querier: Querier): Promise<LedgerHead> {
  const [row] = await querier.arrays('SELECT seq, chain FROM events ORDER BY seq DESC LIMIT 1');
  return row === undefined ? EMPTY_LEDGER : { seq: row[0] as number, hash: row[1] as string };
}

/** The chain value at a position; undefined if the ledger has none. */
export async function chainAt(querier: Querier, seq: number): Promise<string | undefined> {
  if (seq === EMPTY_LEDGER.seq) return EMPTY_LEDGER.hash;
  const sql =
    'SELECT chain FROM events WHERE seq = $1 UNION ALL SELECT chain FROM archived_events WHERE seq = $1';
  return (await querier.arrays(sql, [seq]))[0]?.[0] as string | undefined;
}

/** Up to `limit` records after a position, including archived ones. */
export async function recordsAfter(
  querier: Querier,
  seq: number,
  limit: number,
): Promise<readonly MirrorRecord[]> {
  const events = await querier.arrays(
    `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id
     WHERE e.seq > $1 ORDER BY e.seq LIMIT $2`,
    [seq, limit],
  );
  const until = events.length < limit ? Number.MAX_SAFE_INTEGER : (events.at(-1)?.[0] as number);
  const archived = await querier.arrays(
    'SELECT seq, chain FROM archived_events WHERE seq > $1 AND seq < $2 ORDER BY seq LIMIT $3',
    [seq, until, limit],
  );
  const records: MirrorRecord[] = [
    ...events.map((row) => ({ event: toRecord(row) })),
    ...archived.map(([at, chain]) => ({ archived: { seq: at as number, chain: chain as string } })),
  ];
  return records.sort((one, other) => seqOf(one) - seqOf(other)).slice(0, limit);
}

function seqOf(record: MirrorRecord): number {
  return 'event' in record ? record.event.seq : record.archived.seq;
}
