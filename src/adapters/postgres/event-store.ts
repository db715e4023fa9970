// Owns: the one write path on PostgreSQL. Does not own: sealing (ledger) or what tables mean (projections).
// I1 Events and the tables folded from them are one transaction, under the lock of the ledger.
// I2 A taken sequence number means that the cached tail is stale: the attempt is rolled back and repeated under the lock.
// I3 Events are stored only after the newest head that this process knows.
// I4 If the connection breaks during a commit, the chain value at its last position says whether it was stored.
import type pg from 'pg';
import { type Clock, OkaError, type Random } from '../../kernel/index.ts';
import {
  AsyncCommitQueue,
  type Commit,
  type CommitOutcome,
  EMPTY_LEDGER,
  type EventStore,
  endsOf,
  type LedgerErrorCode,
  type LedgerEvent,
  type LedgerHead,
  placeGroup,
  type StreamEnd,
  sealEvents,
  type WrittenCommit,
  writeOutCommit,
} from '../../ledger/index.ts';
import { nameOf, type PostgresConnection } from './connection.ts';
import { appendEvents, EVENT_COLUMNS, insertStreams, toEvent } from './event-rows.ts';
import type { FoldedTables, SqlStatement } from './folded-tables.ts';
import { FollowOthers } from './follow-others.ts';
import { LedgerTail } from './ledger-tail.ts';
import { isKeyTaken, isOtherFold, isServerError } from './postgres-error.ts';
import { toStored } from './stored-text.ts';

const SALT_BYTES = 16;

export interface PostgresEventStoreOptions {
  readonly connection: PostgresConnection;
  readonly tables: FoldedTables;
  /** Resolves when the tables exist in the shape of this build. */
  readonly ready: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

type Listener = (events: readonly LedgerEvent[]) => void;
/** Changes of stored rows in the transaction of a commit. */
type Rewrite = (
  query: (text: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }>,
) => Promise<void>;

export class PostgresEventStore implements EventStore {
  readonly #options: PostgresEventStoreOptions;
  readonly #connection: PostgresConnection;
  readonly #tail = new LedgerTail();
  readonly #queue = new AsyncCommitQueue((group) => this.#store(group));
  readonly #listeners = new Set<Listener>();
  readonly #newSalt: () => string;
  /** The newest head that this process knows. */
  #known: LedgerHead = EMPTY_LEDGER;
  #pending: Promise<unknown> = Promise.resolve();
  #others: FollowOthers | undefined;

  constructor(options: PostgresEventStoreOptions) {
    this.#options = options;
    this.#connection = options.connection;
    this.#newSalt = () => options.random.hex(SALT_BYTES);
  }

  async commit(commit: Commit): Promise<readonly LedgerEvent[]> {
    return this.#queue.push(writeOutCommit(commit, this.#newSalt));
  }

  /** The newest head that this process knows, also while the server is away. */
  get known(): LedgerHead {
    return this.#known;
  }

  /** Refuses from now on to write a ledger that does not have this head. */
  know(head: LedgerHead): void {
    if (head.seq > this.#known.seq) this.#known = head;
  }

  waitForCapacity(): Promise<void> | undefined {
    return this.#queue.waitForCapacity();
  }

  async read(stream: string, fromIndex = 0): Promise<readonly LedgerEvent[]> {
    return this.#read('s.name = $1 AND e.idx >= $2 ORDER BY e.idx', [toStored(stream), fromIndex]);
  }

  async readAfter(seq: number, limit: number): Promise<readonly LedgerEvent[]> {
    return this.#read('e.seq > $1 ORDER BY e.seq LIMIT $2', [seq, limit]);
  }

  /** Up to `limit` events of these streams after `seq`, in order. */
  async readStreams(streams: readonly string[], seq: number, limit: number): Promise<readonly LedgerEvent[]> {
    const where = 's.name = ANY ($1::text[]) AND e.seq > $2 ORDER BY e.seq LIMIT $3';
    return this.#read(where, [streams.map(toStored), seq, limit]);
  }

  async end(stream: string): Promise<StreamEnd> {
    return (await this.#freshTail([stream])).end(stream);
  }

  async head(): Promise<LedgerHead> {
    return (await this.#freshTail([])).head;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#others ??= this.#followOthers();
    return () => this.#listeners.delete(listener);
  }

  /** Does nothing, because every commit is already durable. */
  async sync(): Promise<void> {}

  async makeDurable(): Promise<void> {}

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#others?.stop();
  }

  #followOthers(): FollowOthers {
    const { connection } = this.#options;
    return new FollowOthers({
      clock: this.#options.clock,
      channel: channelOf(connection.schema),
      connect: () => connection.listener(),
      isOwn: (serverProcess) => connection.isWriter(serverProcess),
      head: async () => (await this.head()).seq,
      readAfter: (seq, limit) => this.readAfter(seq, limit),
      deliver: (events) => this.#notify(events),
    });
  }

  /** Rewrites stored rows in one transaction with the events that record it. */
  async rewrite(commit: Commit, change: Rewrite): Promise<readonly LedgerEvent[]> {
    const [outcome] = await this.#store([writeOutCommit(commit, this.#newSalt)], change);
    if (outcome && 'events' in outcome) return outcome.events;
    throw (outcome as { error: unknown }).error;
  }

  async #read(where: string, values: readonly unknown[]): Promise<readonly LedgerEvent[]> {
    await this.#options.ready();
    const sql = `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id WHERE ${where}`;
    return (await this.#connection.arrays(sql, values)).map(toEvent);
  }

  async #freshTail(streams: readonly string[]): Promise<LedgerTail> {
    await this.#options.ready();
    const tail = new LedgerTail();
    await tail.load(streams, (text, values) => this.#connection.query(text, values, true));
    return tail;
  }

  /** One transaction at a time: the connection that writes has only one. */
  #store(group: readonly WrittenCommit[], change?: Rewrite): Promise<readonly CommitOutcome[]> {
    const result = this.#pending.then(() => this.#storeNow(group, change));
    this.#pending = result.catch(() => undefined);
    return result;
  }

  async #storeNow(group: readonly WrittenCommit[], change?: Rewrite): Promise<readonly CommitOutcome[]> {
    await this.#options.ready();
    let unknown: Attempt | undefined;
    const onAttempt = (attempt: Attempt | undefined): void => {
      unknown = attempt;
    };
    return this.#connection.patiently(async () => {
      const isFirst = change === undefined && unknown === undefined;
      const stored = isFirst ? await this.#attempt(group, { onAttempt }) : undefined;
      if (stored !== undefined) return stored;
      this.#tail.forget();
      const locked = await this.#attempt(group, {
        ...{ onAttempt, locked: true, unknown },
        ...(change ? { change } : {}),
      });
      if (locked !== undefined) return locked;
      throw new OkaError<LedgerErrorCode>(
        'ledger.busy',
        'Another process writes without the lock of the ledger.',
        { transient: true },
      );
    });
  }

  /**
   * Stores a group in one transaction. By the cached tail everything is sent at once; with `locked` the tail is read first,
   * under the lock. Undefined if the tail was stale; then nothing is stored.
   */
  async #attempt(
    group: readonly WrittenCommit[],
    options: {
      readonly onAttempt: (attempt: Attempt | undefined) => void;
      readonly locked?: boolean;
      /** An earlier attempt whose connection broke. */
      readonly unknown?: Attempt | undefined;
      readonly change?: Rewrite;
    },
  ): Promise<readonly CommitOutcome[] | undefined> {
    const { locked = false, unknown, change, onAttempt } = options;
    const client = await this.#connection.writer();
    const transaction = new Transaction(client);
    let sent: readonly LedgerEvent[] = [];
    try {
      const streams = [...new Set(group.flatMap(({ appends }) => appends.map(({ stream }) => stream)))];
      if (locked) transaction.begin(this.#connection.schema);
      const query = (text: string, values: unknown[]) => client.query({ name: nameOf(text), text, values });
      await this.#tail.load(streams, query, this.#known);
      // Under the lock, the earlier attempt has ended. Whether it was stored is read, not guessed.
      if (unknown !== undefined && (await isStored(unknown, client))) {
        await transaction.rollBack();
        onAttempt(undefined);
        this.know(endsOf(unknown.events).head);
        this.#notify(unknown.events);
        return unknown.outcomes;
      }
      const { outcomes, events } = placeGroup(group, this.#tail, this.#options.clock.now());
      if (!locked && outcomes.some((outcome) => 'error' in outcome)) return undefined;
      if (events.length === 0) {
        await transaction.rollBack();
        return outcomes;
      }
      sealEvents(events, this.#tail);
      const { ids, added } = this.#tail.idsOf(events.map(({ stream }) => stream));
      const { tables } = this.#options;
      const { schema } = this.#connection;
      const ledger = { schema, shape: tables.shape, channel: channelOf(schema), after: this.#tail.head };
      const statements = [
        appendEvents(events, (stream) => ids.get(stream) as number, ledger),
        ...(added.size > 0 ? [insertStreams(added)] : []),
        ...tables.statements(events),
      ];
      // One statement is a transaction of its own.
      if (!locked && statements.length > 1) transaction.begin();
      for (const statement of statements) transaction.send(statement);
      if (change !== undefined) await change((text, values) => client.query(text, values));
      onAttempt({ events, outcomes });
      sent = events;
      this.#others?.noteOwn(events);
      await transaction.commit();
      onAttempt(undefined);
      this.#others?.noteStored(events);
      const ends = endsOf(events);
      this.#tail.advance(ends, ids);
      this.know(ends.head);
      this.#notify(events);
      return outcomes;
    } catch (thrown) {
      // A statement after the first that failed only says that the transaction is aborted.
      const error = (await transaction.failure()) ?? thrown;
      // Without an answer of the server, the state of the connection is unknown.
      if (isServerError(error)) await transaction.rollBack().catch(() => this.#connection.dropWriter(client));
      else this.#connection.dropWriter(client);
      this.#tail.forget();
      if (sent.length > 0 && isServerError(error)) {
        onAttempt(undefined);
        this.#others?.noteRefused(sent);
      }
      if (isKeyTaken(error) || (isOtherFold(error) && !locked)) return undefined;
      throw isOtherFold(error) ? tablesChanged() : error;
    }
  }

  #notify(events: readonly LedgerEvent[]): void {
    for (const listener of this.#listeners) listener(events);
  }
}

async function isStored({ events }: Attempt, client: pg.Client): Promise<boolean> {
  const { seq, chain } = events.at(-1) as LedgerEvent;
  const sql = 'SELECT 1 FROM events WHERE seq = $1 AND chain = $2';
  return (await client.query(sql, [seq, chain])).rows.length > 0;
}

/** A commit that was sent, and is stored unless the server says otherwise. */
interface Attempt {
  readonly events: readonly LedgerEvent[];
  readonly outcomes: readonly CommitOutcome[];
}

/** A transaction whose statements are sent without waiting for the answers of earlier ones. */
class Transaction {
  readonly #client: pg.Client;
  readonly #sent: Promise<pg.QueryResult>[] = [];
  #isOpen = false;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Begins, and waits for the lock of this schema's ledger if one is given. */
  begin(schema?: string): void {
    this.#isOpen = true;
    this.#add(this.#client.query('BEGIN'));
    if (schema === undefined) return;
    this.send({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', values: [schema] });
  }

  send({ text, values }: SqlStatement): void {
    this.#add(this.#client.query({ name: nameOf(text), text, values: [...values] }));
  }

  /** Commits, and throws the first error of any statement. */
  async commit(): Promise<void> {
    if (this.#isOpen) this.#add(this.#client.query('COMMIT'));
    this.#isOpen = false;
    const error = await this.failure();
    if (error !== undefined) throw error;
  }

  /** The first error of any statement so far. */
  async failure(): Promise<unknown> {
    const outcomes = await Promise.allSettled(this.#sent);
    return outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
  }

  async rollBack(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#client.query('ROLLBACK');
  }

  #add(sent: Promise<pg.QueryResult>): void {
    // Errors are thrown by `commit`.
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }
}

/** The channel that tells other processes of new events. */
function channelOf(schema: string): string {
  return `oka_${schema}`.slice(0, 63);
}

function tablesChanged(): OkaError<LedgerErrorCode> {
  return new OkaError(
    'ledger.newer_schema',
    'A newer Oka has changed the tables of this ledger. Nothing was stored. Update this process and start it again.',
  );
}
