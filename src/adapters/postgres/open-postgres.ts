import type { Clock, Random, Warn } from '../../kernel/index.ts';
import type { HeadSource, Projection, RecordSource, SqlTables } from '../../ledger/index.ts';
import { PostgresArtifactStore } from './artifact-store.ts';
import { checkServer, type ServerCheck } from './check-server.ts';
import { PostgresConnection } from './connection.ts';
import { PostgresEventStore } from './event-store.ts';
import { FoldedTables } from './folded-tables.ts';
import { PostgresArchive } from './ledger-archive.ts';
import { prepareSchema, refold, type SchemaOptions } from './ledger-schema.ts';
import { LiveChannel } from './live-channel.ts';
import { PostgresTables } from './postgres-tables.ts';
import { PostgresRateGate } from './rate-gate.ts';
import { chainAt, headOf, recordsAfter } from './read-records.ts';

/** Where a ledger is on a PostgreSQL server. */
export interface PostgresLocation {
  /** `postgres://user@host/database`. */
  readonly url: string;
  /** Lower-case letters, digits and underscores. */
  readonly schema: string;
}

export interface OpenPostgresOptions extends PostgresLocation {
  readonly projections: readonly Projection[];
  /** The version of this build of Oka. */
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly patienceMs?: number;
  readonly onWarning?: Warn;
  /** Called with the ledger when it is reached for the first time, before anything is read from it. */
  readonly onReached?: (ledger: HeadSource) => Promise<void>;
}

/** A view of a ledger that others do not change. */
export interface LedgerSnapshot extends RecordSource {
  readonly tables: SqlTables;
}

/** Everything that a ledger on PostgreSQL stores. Connects, and creates what is missing, on first use. */
export class PostgresStores {
  readonly store: PostgresEventStore;
  readonly tables: PostgresTables;
  readonly archive: PostgresArchive;
  readonly artifacts: PostgresArtifactStore;
  readonly rateGate: PostgresRateGate;
  readonly live: LiveChannel;
  /** The server and database, without user and password. */
  readonly server: string;
  readonly #connection: PostgresConnection;
  readonly #schema: SchemaOptions;
  readonly #onReached: OpenPostgresOptions['onReached'];
  #ready: Promise<void> | undefined;

  constructor(options: OpenPostgresOptions) {
    const { clock, random, projections, version } = options;
    const connection = new PostgresConnection(options);
    const tables = new FoldedTables(projections);
    const { ready } = this;
    this.#connection = connection;
    this.#onReached = options.onReached;
    this.#schema = { connection, tables, version, now: () => clock.now() };
    this.server = connection.server;
    this.store = new PostgresEventStore({ connection, tables, ready, clock, random });
    this.tables = new PostgresTables(connection, ready);
    this.archive = new PostgresArchive({ connection, tables, store: this.store, ready });
    this.artifacts = new PostgresArtifactStore(connection, clock, ready);
    this.rateGate = new PostgresRateGate(connection, clock, ready);
    this.live = new LiveChannel(connection, clock, random);
  }

  /** Resolves when every table exists. */
  readonly ready = (): Promise<void> => {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  };

  async #prepare(): Promise<void> {
    await prepareSchema(this.#schema);
    const connection = this.#connection;
    await this.#onReached?.({ head: () => headOf(connection), chainAt: (seq) => chainAt(connection, seq) });
  }

  /** Throws at once unless the server can be reached, supports this build and takes writes. */
  check(): Promise<ServerCheck> {
    return checkServer(this.#connection);
  }

  /** Runs `work` on one unchanging view of the ledger. */
  async snapshot<T>(work: (view: LedgerSnapshot) => Promise<T>): Promise<T> {
    await this.ready();
    return this.#connection.snapshot((view) =>
      work({
        tables: new PostgresTables(view),
        head: () => headOf(view),
        chainAt: (seq) => chainAt(view, seq),
        recordsAfter: (seq, limit) => recordsAfter(view, seq, limit),
      }),
    );
  }

  /** Folds every table again from the events. */
  async rebuildTables(onProgress?: (done: number) => void): Promise<void> {
    await this.ready();
    await refold(this.#schema, onProgress);
  }

  /** From now on, a server that is away is not waited for. */
  stopWaiting(): void {
    this.#connection.stopWaiting();
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.live.close();
    await this.#connection.close();
  }
}
