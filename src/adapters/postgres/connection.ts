// Owns: the connections to one schema of a PostgreSQL server, and waiting while the server is away. Does not own: what is
// stored there.
import { setMaxListeners } from 'node:events';
import { Socket } from 'node:net';
import type pg from 'pg';
import {
  backoffMs,
  type Clock,
  currentOperation,
  type EpochMs,
  type Warn,
  waitUntil,
  warnOf,
} from '../../kernel/index.ts';
import { translatePostgresError } from './postgres-error.ts';

const DEFAULT_PATIENCE_MS = 5 * 60_000;
const PAUSES = { firstMs: 100, longestMs: 5_000 };
const CONNECT_MS = 10_000;
const QUERY_MS = 60_000;
/** How long the rest of an ended command, and the end of its connections, may take. */
const ENDING_MS = 1_000;
/** A server that works accepts a connection in this time. */
const ALIVE_MS = 1_000;
const MAX_READERS = 4;

/** Commits are durable. Ends the transaction of a client whose connection is gone, because it would block every other writer. */
const SESSION = [
  'synchronous_commit=on',
  'idle_in_transaction_session_timeout=15s',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=20000',
];

/** Commits find rows by their keys. A plan that was made for a small table would read all of it, and be kept while it grows. */
const WRITER = ['enable_seqscan=off'];

/** Loaded on first use, because most ledgers are not on PostgreSQL. */
const loadPg = () => import('./pg-library.ts');
type PgLibrary = Awaited<ReturnType<typeof loadPg>>;

/** The password of an address without one, unless PGPASSWORD has it. */
function passwordFor(
  address: string,
  { findPassword }: PgLibrary,
): { readonly password?: () => Promise<string> } {
  const { hostname: host, port, pathname, username, password } = new URL(address);
  if (password !== '' || process.env['PGPASSWORD']) return {};
  const place = {
    host,
    port: port || '5432',
    database: pathname.slice(1),
    user: decodeURIComponent(username),
  };
  return { password: () => new Promise((resolve) => findPassword(place, (found) => resolve(found ?? ''))) };
}

/** Counts and times are numbers; each is far below 2^53. */
function numbersAsNumbers({ types }: PgLibrary): pg.CustomTypesConfig {
  const { INT8, NUMERIC } = types.builtins;
  return {
    getTypeParser: (id, format) =>
      id === INT8 || id === NUMERIC ? Number : types.getTypeParser(id, format as 'text'),
  };
}

export interface PostgresOptions {
  /** `postgres://user@host/database`. */
  readonly url: string;
  /** Lower-case letters, digits and underscores. */
  readonly schema: string;
  readonly clock: Clock;
  /** How long a statement is repeated while the server is away, full or read-only. */
  readonly patienceMs?: number;
  readonly onWarning?: Warn;
}

/** Runs single statements. */
export interface Querier {
  query(
    text: string,
    values?: readonly unknown[],
    named?: boolean,
  ): Promise<pg.QueryResult<Record<string, unknown>>>;
  /** Returns rows as arrays. */
  arrays(text: string, values?: readonly unknown[]): Promise<unknown[][]>;
}

export class PostgresConnection implements Querier {
  readonly schema: string;
  /** The server and database, without user and password. */
  readonly server: string;
  readonly #options: PostgresOptions;
  readonly #stop = new AbortController();
  readonly #ending = new AbortController();
  readonly #sockets = new Set<Socket>();
  #endingSince = Number.POSITIVE_INFINITY;
  #readers: Promise<pg.Pool> | undefined;
  #writer: Promise<pg.Client> | undefined;
  #writerProcess: number | undefined;
  /** The codes of failures since the server last answered, and whether one was told. */
  readonly #failures = new Set<string>();
  #hasWarned = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
    // Each statement that waits for the server listens to it.
    setMaxListeners(0, this.#stop.signal, this.#ending.signal);
    this.schema = options.schema;
    const { host, pathname } = new URL(options.url);
    this.server = `PostgreSQL at ${host}${pathname}`;
  }

  /** Runs one statement on any connection, and repeats it while the server is away. */
  async query(
    text: string,
    values: readonly unknown[] = [],
    named = false,
  ): Promise<pg.QueryResult<Record<string, unknown>>> {
    const statement = named
      ? { name: nameOf(text), text, values: [...values] }
      : { text, values: [...values] };
    return this.patiently(async () => (await this.#pool()).query(statement));
  }

  /** Runs one prepared statement that returns rows as arrays. */
  async arrays(text: string, values: readonly unknown[] = []): Promise<unknown[][]> {
    const statement = { name: nameOf(text), text, values: [...values], rowMode: 'array' as const };
    return (await this.patiently(async () => (await this.#pool()).query<unknown[]>(statement))).rows;
  }

  /** The one connection that writes. Statements are sent without waiting for the answers of earlier ones. */
  writer(): Promise<pg.Client> {
    if (this.#writer !== undefined) return this.#writer;
    const opened = this.#connectWriter(() => {
      // An earlier connection may end after this one was opened.
      if (this.#writer === opened) this.#forgetWriter();
    });
    this.#writer = opened;
    return opened;
  }

  /** Whether a process of the server is that of the connection that writes. */
  isWriter(serverProcess: number): boolean {
    return serverProcess === this.#writerProcess;
  }

  /** Gives up the writing connection after an error, because the state of its transaction is unknown. */
  dropWriter(client: pg.Client): void {
    this.#forgetWriter();
    void client.end().catch(() => undefined);
  }

  /** Runs `work` in a transaction on a connection of its own. It is committed unless `work` throws or ends it. */
  async transaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.patiently(() => this.#connect());
    try {
      return await this.#unlessSilent(async () => {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      });
    } catch (error) {
      throw translatePostgresError(error, this.server);
    } finally {
      // Without a commit, the server rolls back.
      void client.end().catch(() => undefined);
    }
  }

  /** Runs `work` in a transaction that is rolled back, and does not wait for a server that is away. */
  async tryOnce<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    return this.#unlessSilent(async () => {
      const client = await this.#connect();
      try {
        await client.query('BEGIN');
        return await work(client);
      } finally {
        void client.end().catch(() => undefined);
      }
    });
  }

  /** A connection of its own that listens, and keeps no process alive. The caller ends it. */
  async listener(): Promise<pg.Client> {
    const client = await this.#connect();
    // Missing in the types of pg.
    (client as pg.Client & { unref(): void }).unref();
    return client;
  }

  /** Runs `work` on one unchanging view of the database. */
  async snapshot<T>(work: (view: Querier) => Promise<T>): Promise<T> {
    return this.transaction(async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return work({
        query: (text, values = []) => client.query(text, [...values]),
        arrays: async (text, values = []) =>
          (await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows,
      });
    });
  }

  /** Repeats `work` while it fails because the server is away, full or read-only. A call that only reads waits less. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    const { clock, patienceMs = DEFAULT_PATIENCE_MS } = this.#options;
    const startedAt = clock.now();
    for (let failures = 1; ; failures += 1) {
      try {
        const result = await this.#unlessSilent(work);
        if (this.#failures.size > 0) this.#recover();
        return result;
      } catch (error) {
        const translated = translatePostgresError(error, this.server);
        if (translated.transient) this.#failures.add(translated.code);
        const until = Math.min(startedAt + patienceMs, this.#silenceEnds(startedAt));
        if (!translated.transient || clock.now() >= until || this.#stop.signal.aborted) throw translated;
        if (!this.#hasWarned && failures > 1) {
          this.#hasWarned = true;
          warnOf(this.#warn, translated, `${translated.message} Oka waits for it.`);
        }
        const next = Math.min(until, clock.now() + backoffMs(failures, PAUSES));
        await waitUntil(clock, next, [this.#stop.signal, this.#ending.signal]);
      }
    }
  }

  /** When a server that has not answered since then counts as away. Calls that change something leave that to its timeouts. */
  #silenceEnds(since: EpochMs): EpochMs {
    const patienceMs = currentOperation()?.patienceMs ?? Number.POSITIVE_INFINITY;
    return Math.min(since + patienceMs, Math.max(since, this.#endingSince) + ENDING_MS);
  }

  /** Gives up on `work` when the server is away. A server that takes long but accepts connections is waited for. */
  #unlessSilent<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    const ending = this.#ending.signal;
    return new Promise((resolve, reject) => {
      let cancel = (): void => undefined;
      const giveUp = async (): Promise<void> => {
        if (!ending.aborted && (await this.#accepts())) wait();
        else reject(new Error('it does not answer'));
      };
      const wait = (): void => {
        cancel();
        const at = this.#silenceEnds(clock.now());
        if (at !== Number.POSITIVE_INFINITY) cancel = clock.callAt(at, () => void giveUp());
      };
      wait();
      ending.addEventListener('abort', wait);
      work()
        .then(resolve, reject)
        .finally(() => {
          cancel();
          cancel = () => undefined;
          ending.removeEventListener('abort', wait);
        });
    });
  }

  async #accepts(): Promise<boolean> {
    const library = await loadPg();
    const client = new library.Client({ ...this.#config(library), connectionTimeoutMillis: ALIVE_MS });
    client.on('error', () => undefined);
    return client.connect().then(
      () => {
        void client.end().catch(() => undefined);
        return true;
      },
      () => false,
    );
  }

  /** From now on, a server that is away is not waited for. */
  stopWaiting(): void {
    if (this.#ending.signal.aborted) return;
    this.#endingSince = this.#options.clock.now();
    this.#ending.abort();
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    const { clock } = this.#options;
    const ended = new AbortController();
    void this.#end()
      .catch(() => undefined)
      .finally(() => ended.abort());
    // A server that does not answer cannot end them.
    if (this.#failures.size === 0) await waitUntil(clock, clock.now() + ENDING_MS, [ended.signal]);
    for (const socket of this.#sockets) socket.destroy();
  }

  async #end(): Promise<void> {
    const writer = await this.#writer?.catch(() => undefined);
    await writer?.end().catch(() => undefined);
    this.#writer = undefined;
    await (await this.#readers)?.end();
  }

  readonly #warn: Warn = (message, about) => this.#options.onWarning?.(message, about);

  #recover(): void {
    for (const code of this.#failures)
      this.#warn(`${this.server} answers again.`, { code, topic: code, isOver: true });
    this.#failures.clear();
    this.#hasWarned = false;
  }

  #pool(): Promise<pg.Pool> {
    this.#readers ??= this.#openPool();
    return this.#readers;
  }

  async #openPool(): Promise<pg.Pool> {
    const library = await loadPg();
    const readers = { max: MAX_READERS, idleTimeoutMillis: 30_000 };
    const pool = new library.Pool({ ...this.#config(library), ...readers });
    // A reader that breaks while it is idle is replaced by the pool.
    pool.on('error', () => undefined);
    return pool;
  }

  async #connect(): Promise<pg.Client> {
    const library = await loadPg();
    const client = new library.Client(this.#config(library));
    // A connection that breaks is noticed by its next statement.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  #openSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  #forgetWriter(): void {
    this.#writer = undefined;
    this.#writerProcess = undefined;
  }

  async #connectWriter(onLost: () => void): Promise<pg.Client> {
    const library = await loadPg();
    const client = new library.Client({ ...this.#config(library, WRITER), pipeline: true });
    client.on('error', onLost);
    client.on('end', onLost);
    try {
      await client.connect();
      // Missing in the types of pg.
      this.#writerProcess = (client as pg.Client & { processID: number }).processID;
      return client;
    } catch (error) {
      onLost();
      throw error;
    }
  }

  #config(library: PgLibrary, more: readonly string[] = []): pg.ClientConfig {
    const settings = [`search_path=${this.schema}`, ...SESSION, ...more];
    return {
      connectionString: this.#options.url,
      application_name: 'oka',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      stream: () => this.#openSocket(),
      options: settings.map((setting) => `-c ${setting}`).join(' '),
      ...passwordFor(this.#options.url, library),
      types: numbersAsNumbers(library),
    };
  }
}

const names = new Map<string, string>();

/** A name for a prepared statement, the same for equal texts. */
export function nameOf(text: string): string {
  const known = names.get(text) ?? `oka_${names.size}`;
  names.set(text, known);
  return known;
}
