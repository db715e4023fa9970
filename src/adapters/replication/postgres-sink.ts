// Owns: a copy of ledgers in PostgreSQL, for several workspaces. Does not own: when and what to ship.
// I1 A batch, its removals and folds, and the new head are one transaction; the head row is locked first.
// I2 A batch that does not directly follow the head changes nothing.
import type { Client, ClientConfig } from 'pg';
import { digestOfJson, type Json } from '../../kernel/index.ts';
import {
  fitsAfter,
  type LedgerHead,
  type MirrorRecord,
  type Projection,
  placeOf,
  type ReplicaBatch,
  type ReplicaSink,
  type ReplicaTally,
  removalsOf,
} from '../../ledger/index.ts';
import { postgresName } from './check-target.ts';
import { postgresError } from './postgres-error.ts';
import { insertRecords, readRecords, removeContent } from './postgres-events.ts';
import { clearRows, countRows, foldRecords } from './postgres-fold.ts';
import { foldedTables, ledgerTables, quoted } from './postgres-schema.ts';

export interface PostgresSinkOptions {
  /** A connection string, validated by `checkPostgresUrl`; never shown. */
  readonly url: string;
  readonly schema?: string;
  /** Projections that are folded next to the events. */
  readonly projections: readonly Projection[];
}

const SCHEMA = 'oka_replica';
const CONNECT_MS = 10_000;
const STATEMENT_MS = 60_000;
const REFOLD_BATCH = 500;
/** Advisory lock for creating tables. */
const CREATE_LOCK = 7_276_101;

interface HeadRow {
  readonly seq: string;
  readonly chain: string;
  readonly fold: string | null;
}

/** A sink in its own schema, which it creates. */
export class PostgresSink implements ReplicaSink {
  readonly name: string;
  readonly #options: PostgresSinkOptions;
  readonly #schema: string;
  readonly #fold: string;
  #client: Promise<Client> | undefined;

  constructor(options: PostgresSinkOptions) {
    this.#options = options;
    this.#schema = options.schema ?? SCHEMA;
    this.name = `${postgresName(options.url)}, schema ${this.#schema}`;
    const tables = options.projections.map(({ tables, types }) => ({ tables, types: [...types].sort() }));
    this.#fold = digestOfJson(JSON.parse(JSON.stringify(tables)) as Json);
  }

  position(workspace: string, signal: AbortSignal): Promise<LedgerHead> {
    return this.#with(signal, async (client) => {
      const { rows } = await client.query<HeadRow>(
        `SELECT seq, chain, fold FROM ${quoted(this.#schema)}.heads WHERE workspace = $1`,
        [workspace],
      );
      return { seq: Number(rows[0]?.seq ?? 0), hash: rows[0]?.chain ?? '' };
    });
  }

  ship(batch: ReplicaBatch, signal: AbortSignal): Promise<LedgerHead> {
    return this.#with(signal, (client) => inTransaction(client, () => this.#apply(client, batch)));
  }

  tally(workspace: string, signal: AbortSignal): Promise<ReplicaTally> {
    return this.#with(signal, async (client) => {
      const { rows } = await client.query<Record<'events' | 'archived' | 'bodies', string>>(
        `SELECT count(stream) AS events, count(*) - count(stream) AS archived, count(body) AS bodies
         FROM ${quoted(this.#schema)}.events WHERE workspace = $1`,
        [workspace],
      );
      const { events, archived, bodies } = rows[0] as (typeof rows)[number];
      const folded = await countRows(this.#place(client, workspace), this.#options.projections);
      return { events: Number(events), archived: Number(archived), bodies: Number(bodies), rows: folded };
    });
  }

  read(
    workspace: string,
    afterSeq: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly MirrorRecord[]> {
    return this.#with(signal, (client) => readRecords(this.#place(client, workspace), { afterSeq, limit }));
  }

  async close(): Promise<void> {
    const opened = this.#client;
    this.#client = undefined;
    // A failed connection was already reported.
    await opened?.then((client) => client.end()).catch(() => undefined);
  }

  async #apply(client: Client, batch: ReplicaBatch): Promise<LedgerHead> {
    const { workspace, head, records } = batch;
    const heads = `${quoted(this.#schema)}.heads`;
    await client.query(
      `INSERT INTO ${heads} (workspace, seq, chain, fold, shipped_at) VALUES ($1, 0, '', $2, now())
       ON CONFLICT (workspace) DO NOTHING`,
      [workspace, this.#fold],
    );
    const { rows } = await client.query<HeadRow>(
      `SELECT seq, chain, fold FROM ${heads} WHERE workspace = $1 FOR UPDATE`,
      [workspace],
    );
    const row = rows[0] as HeadRow;
    const position = { seq: Number(row.seq), hash: row.chain };
    if (!fitsAfter(batch, position)) return position;
    const place = this.#place(client, workspace);
    const { projections } = this.#options;
    if (row.fold !== this.#fold) await this.#refold(client, workspace);
    await insertRecords(place, records);
    for (const removal of removalsOf(records)) await removeContent(place, removal);
    await foldRecords(place, projections, records);
    await client.query(
      `UPDATE ${heads} SET seq = $2, chain = $3, fold = $4, shipped_at = now() WHERE workspace = $1`,
      [workspace, head.seq, head.hash, this.#fold],
    );
    return head;
  }

  /** Rebuilds tables that another version of Oka folded differently, from the stored events. */
  async #refold(client: Client, workspace: string): Promise<void> {
    const { projections } = this.#options;
    const place = this.#place(client, workspace);
    const types = [...new Set(projections.flatMap((projection) => [...projection.types]))];
    await clearRows(place, projections);
    for (let seq = 0; ; ) {
      const records = await readRecords(place, { afterSeq: seq, limit: REFOLD_BATCH, types });
      const last = records.at(-1);
      if (last === undefined) return;
      await foldRecords(place, projections, records);
      seq = placeOf(last).seq;
    }
  }

  #place(client: Client, workspace: string) {
    return { client, schema: this.#schema, workspace };
  }

  /** Works on the single connection; after a failure the next call reconnects. */
  async #with<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const giveUp = (): void => void this.close();
    signal.addEventListener('abort', giveUp);
    try {
      this.#client ??= this.#connect();
      return await work(await this.#client);
    } catch (error) {
      await this.close();
      signal.throwIfAborted();
      throw postgresError(error, this.name);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async #connect(): Promise<Client> {
    const { Client } = await import('pg');
    const config: ClientConfig = {
      connectionString: this.#options.url,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: STATEMENT_MS + CONNECT_MS,
      application_name: 'oka replication',
      keepAlive: true,
    };
    const client = new Client(config);
    // A connection lost while idle is detected by the next call.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await inTransaction(client, () => this.#createTables(client));
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async #createTables(client: Client): Promise<void> {
    await client.query('SELECT pg_advisory_xact_lock($1)', [CREATE_LOCK]);
    const { rows } = await client.query<{ there: boolean }>(
      'SELECT to_regnamespace($1) IS NOT NULL AS there',
      [quoted(this.#schema)],
    );
    if (!rows[0]?.there) await client.query(`CREATE SCHEMA ${quoted(this.#schema)}`);
    const tables = [...ledgerTables(this.#schema), ...foldedTables(this.#schema, this.#options.projections)];
    // Suppresses notices about existing tables.
    await client.query(`SET LOCAL client_min_messages = warning; ${tables.join('; ')}`);
  }
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const answer = await work();
    await client.query('COMMIT');
    return answer;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
