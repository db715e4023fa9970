import type { EventRecord, EventTexts, SyncLevel } from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import type { StatementList } from './statements.ts';
import type { StoreAnswer, StoreRequest } from './store-request.ts';

interface Ended {
  readonly seq: number;
  readonly chain: string;
  /** The chain values of its streams, by their numbers. */
  readonly newest: ReadonlyMap<number, string>;
}

/**
 * Stores groups on a connection of its own. It runs in a thread of its own, as text, so it uses nothing but what it is
 * given. When it throws, nothing was stored.
 */
export function groupStorer(
  database: Database,
  { digestOfBody, chainAfter, mirrorLine }: EventTexts,
  insertEvent: (streamId: number, event: EventRecord) => void,
): (request: StoreRequest) => StoreAnswer {
  const valuesOfAnEvent = 12;
  const mostBytesOfAUnit = 3;
  const encoder = new TextEncoder();
  /** Lines are written here, and copied when it is known how many bytes they are. */
  let written = new Uint8Array(1 << 16);
  const prepared = new Map<string, Statement>();
  /** Where the last group has ended; undefined when it was not stored. */
  let ended: Ended | undefined;
  let level: SyncLevel = 'normal';

  const prepare = (sql: string): Statement => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };

  const setLevel = (wanted: SyncLevel): void => {
    if (wanted === level) return;
    database.exec(`PRAGMA synchronous=${wanted}`);
    level = wanted;
  };

  const makeRoom = (used: number, needed: number): void => {
    if (needed <= written.length) return;
    const larger = new Uint8Array(2 * needed);
    larger.set(written.subarray(0, used));
    written = larger;
  };

  const follow = (known: string | null | undefined): string => {
    if (typeof known === 'string') return known;
    throw Object.assign(new Error('what the group follows was not stored'), { code: 'OKA_NOT_FOLLOWING' });
  };

  const storeEvents = ({ events, head }: StoreRequest, before: Ended | undefined): StoreAnswer => {
    const newest = new Map<number, string>();
    const isNext = before?.seq === (events[0] as number) - 1;
    const bodyDigests: (string | null)[] = [];
    const chains: string[] = [];
    let end = 0;
    let last = follow(head ?? (isNext ? before?.chain : undefined));
    for (let at = 0; at < events.length; at += valuesOfAnEvent) {
      const streamId = events[at + 1] as number;
      const bodyText = events[at + 9] as string | null;
      const salt = events[at + 10] as string | null;
      const event = {
        seq: events[at] as number,
        stream: events[at + 2] as string,
        index: events[at + 3] as number,
        type: events[at + 4] as string,
        at: events[at + 5] as number,
        actor: events[at + 6] as string,
        ends: events[at + 7] === 1,
        dataText: events[at + 8] as string,
        bodyText,
        salt,
        bodyDigest: bodyText === null ? null : digestOfBody(salt ?? '', bodyText),
        chain: '',
      };
      const inStream =
        (events[at + 11] as string | null) ?? newest.get(streamId) ?? before?.newest.get(streamId);
      event.chain = chainAfter(follow(inStream), last, event);
      last = event.chain;
      newest.set(streamId, last);
      insertEvent(streamId, event);
      bodyDigests.push(event.bodyDigest);
      chains.push(last);
      const line = `${mirrorLine(event)}\n`;
      makeRoom(end, end + line.length * mostBytesOfAUnit);
      end += encoder.encodeInto(line, written.subarray(end)).written;
    }
    ended = { seq: events[events.length - valuesOfAnEvent] as number, chain: last, newest };
    return { bodyDigests, chains, lines: written.slice(0, end) };
  };

  const change = ({ statements, calls, values }: StatementList): void => {
    const known = statements.map(({ sql, width }) => ({ statement: prepare(sql), width }));
    let at = 0;
    for (const call of calls) {
      const { statement, width } = known[call] as { statement: Statement; width: number };
      statement.run(...values.slice(at, at + width));
      at += width;
    }
  };

  return (request) => {
    const before = ended;
    ended = undefined;
    setLevel(request.sync);
    database.exec('BEGIN IMMEDIATE');
    try {
      const answer = storeEvents(request, before);
      change(request.changes);
      database.exec('COMMIT');
      return answer;
    } catch (error) {
      ended = undefined;
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
}
