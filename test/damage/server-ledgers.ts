// Ledgers on a PostgreSQL of the tests, the clients that write them, and setting such a ledger back.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import type { TestPostgres } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

let schemas = 0;

export class ServerLedger {
  readonly url: string;
  readonly schema = `rollback_${schemas++}`;

  constructor(server: TestPostgres) {
    this.url = server.url;
  }

  client(ledger: { readonly url?: string; readonly heads?: string } = {}): ServerClient {
    return new ServerClient({ url: this.url, schema: this.schema, ...ledger });
  }

  async query(...statements: readonly string[]): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: this.url, options: `-c search_path=${this.schema}` });
    await client.connect();
    try {
      let result: pg.QueryResult | undefined;
      for (const statement of statements) result = await client.query(statement);
      return result as pg.QueryResult;
    } finally {
      await client.end();
    }
  }

  async head(): Promise<number> {
    return Number((await this.query('SELECT coalesce(max(seq), 0) AS seq FROM events')).rows[0].seq);
  }

  /** Takes at least so many of the newest events away, as a restored dump or a standby that lags does: in whole transactions. */
  async goBack(events: number): Promise<void> {
    const target = Math.max(0, (await this.head()) - events);
    const ends = `SELECT coalesce(max(seq), 0) AS seq FROM events WHERE ends = 1 AND seq <= ${target}`;
    const last = Number((await this.query(ends)).rows[0].seq);
    await this.query(
      `DELETE FROM events WHERE seq > ${last}`,
      `DELETE FROM streams WHERE id NOT IN (SELECT stream_id FROM events)`,
      `UPDATE ledger_state SET fold = ''`,
    );
  }
}

/** A machine that uses the ledger: its own home and its own workspace. */
export class ServerClient {
  readonly home = join(tempFolder(), 'home');
  readonly workspace = tempFolder();
  readonly warnings: string[] = [];

  constructor(ledger: object) {
    mkdirSync(this.home, { recursive: true });
    this.use(ledger);
  }

  /** Configures where the ledger is. */
  use(ledger: object): void {
    writeFileSync(join(this.home, 'config.json'), JSON.stringify({ ledger }));
  }

  /** Runs one command, as a process of its own would. */
  async with<T>(work: (oka: Oka) => Promise<T>): Promise<T> {
    const { workspace, home } = this;
    const oka = new Oka({ workspace, home, onWarning: ({ message }) => this.warnings.push(message) });
    try {
      return await work(oka);
    } finally {
      await oka.close();
    }
  }

  init(): Promise<unknown> {
    return this.with((oka) => oka.init({ trust: true }));
  }

  /** Adds facts, one event each; many of them in transactions of several. */
  async addFacts(count: number, about = 'boat'): Promise<void> {
    const lines = Array.from({ length: count }, (_, i) =>
      JSON.stringify({ kind: 'fact', text: `${about} ${i} is in the harbour` }),
    );
    const size = Math.ceil(count / 20);
    await this.with(async (oka) => {
      for (let from = 0; from < count; from += size)
        await oka.memory.importLines(lines.slice(from, from + size), 'test');
    });
  }

  /** The code with which a command that writes stops; undefined if it wrote. */
  refusal(): Promise<string | undefined> {
    return this.with((oka) => oka.memory.addFact({ text: 'One more', by: 'test' })).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
  }

  facts(): Promise<readonly string[]> {
    return this.with(async (oka) =>
      (await oka.memory.listFacts({ limit: 1_000 })).map(({ text }) => text).sort(),
    );
  }

  verify() {
    return this.with((oka) => oka.ledger.verify({ full: true }));
  }

  repair(request: { readonly acceptHead?: boolean; readonly acceptLoss?: boolean } = {}) {
    return this.with((oka) => oka.ledger.repair({ by: 'test', acceptLoss: false, ...request }));
  }
}

/** Sets ledgers back by random numbers of events. Two clients write each, in turn; the commands after it are random too. */
export async function expectRollbacksFound(
  server: TestPostgres,
  { times, events, seed }: { readonly times: number; readonly events: number; readonly seed: number },
): Promise<void> {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const ledger = new ServerLedger(server);
  const clients = [ledger.client(), ledger.client()];
  for (const client of clients) await client.init();
  for (let i = 0; i < times; i++) {
    const back = 1 + below(events);
    for (const client of clients) await client.addFacts(Math.ceil(back / 2), `boat ${i}`);
    const newest = await ledger.head();
    await ledger.goBack(back);
    // The first client wrote before the second, and knows less.
    const [first, second] = [clients[0], clients[1]] as [ServerClient, ServerClient];
    const found = below(2) === 0 ? await second.refusal() : (await second.verify()).faults[0]?.what;
    expect(found, `${back} of ${newest} events`).toMatch(/older_than_signed|newer events? (is|are) missing/);
    if ((await ledger.head()) < newest - Math.ceil(back / 2))
      expect(await first.refusal()).toBe('ledger.older_than_signed');
    expect(await second.repair()).toMatchObject({ ok: true });
    expect(await ledger.head()).toBe(newest);
  }
}

/** A ledger, and a client that has written facts to it. */
export async function writtenLedger(
  server: TestPostgres,
  facts: number,
  more: { readonly heads?: string } = {},
): Promise<{ readonly ledger: ServerLedger; readonly client: ServerClient }> {
  const ledger = new ServerLedger(server);
  const client = ledger.client(more);
  await client.init();
  await client.addFacts(facts);
  return { ledger, client };
}
