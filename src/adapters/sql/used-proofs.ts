import type { Clock } from '../../kernel/index.ts';
import type { SqlTables } from '../../ledger/index.ts';

const FORGETS_EVERY_MS = 60_000;
/** Where proofs are among the leases: an invocation holds its proof until the proof cannot be used any more. */
const [FIRST, AFTER] = ['call/', 'call0'] as const;

/** The calls of a cluster that were made. Using one is a single statement, so that only one invocation gets it. */
export class SqlUsedProofs {
  readonly #tables: SqlTables;
  readonly #clock: Clock;
  #forgetsAt = 0;

  constructor(tables: SqlTables, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
  }

  /** Whether the invocation may use the proof: for the first time if it is timely, or again. */
  async use(proof: {
    readonly nonce: string;
    readonly invocation: string;
    readonly until: number;
    readonly isTimely: boolean;
  }): Promise<boolean> {
    await this.#forget();
    const [name, owner] = [`${FIRST}${proof.nonce}`, proof.invocation];
    const used = proof.isTimely
      ? await this.#tables.change(
          `INSERT INTO leases (name, owner, expires_at) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at WHERE leases.owner = excluded.owner`,
          ...[name, owner, proof.until],
        )
      : await this.#tables.change(
          'UPDATE leases SET expires_at = ? WHERE name = ? AND owner = ?',
          ...[proof.until, name, owner],
        );
    return used > 0;
  }

  async #forget(): Promise<void> {
    const now = this.#clock.now();
    if (now < this.#forgetsAt) return;
    this.#forgetsAt = now + FORGETS_EVERY_MS;
    await this.#tables.change(
      'DELETE FROM leases WHERE name >= ? AND name < ? AND expires_at < ?',
      ...[FIRST, AFTER, now],
    );
  }
}
