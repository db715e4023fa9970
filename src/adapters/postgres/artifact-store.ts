import type { ArtifactRef, ArtifactStore, EngineErrorCode } from '../../engine/index.ts';
import { type Clock, type Digest, digestOf, OkaError } from '../../kernel/index.ts';
import type { PostgresConnection } from './connection.ts';

/** Artifacts as rows, so that every worker has them. */
export class PostgresArtifactStore implements ArtifactStore {
  readonly #connection: PostgresConnection;
  readonly #clock: Clock;
  readonly #ready: () => Promise<void>;

  constructor(connection: PostgresConnection, clock: Clock, ready: () => Promise<void>) {
    this.#connection = connection;
    this.#clock = clock;
    this.#ready = ready;
  }

  async put(
    content: string | Uint8Array,
    { mediaType, name }: Parameters<ArtifactStore['put']>[1],
  ): Promise<ArtifactRef> {
    const bytes = Buffer.from(content as Uint8Array);
    const digest = digestOf(bytes);
    await this.#query(
      'INSERT INTO blobs (digest, content, stored_at) VALUES ($1, $2, $3) ON CONFLICT (digest) DO NOTHING',
      [digest, bytes, this.#clock.now()],
    );
    return { digest, bytes: bytes.length, mediaType, ...(name === undefined ? {} : { name }) };
  }

  async touch(digest: Digest): Promise<boolean> {
    const sql = 'UPDATE blobs SET stored_at = $2 WHERE digest = $1';
    return (await this.#query(sql, [digest, this.#clock.now()])).rowCount === 1;
  }

  async get(digest: Digest): Promise<Uint8Array | undefined> {
    const { rows } = await this.#query('SELECT content FROM blobs WHERE digest = $1', [digest]);
    const content = rows[0]?.['content'] as Buffer | undefined;
    if (content === undefined || digestOf(content) === digest) return content && new Uint8Array(content);
    throw new OkaError<EngineErrorCode>(
      'engine.artifact_damaged',
      `The artifact ${digest} is damaged. Restore it from a backup or delete it.`,
      { data: { digest } },
    );
  }

  async list(): ReturnType<ArtifactStore['list']> {
    const sql = 'SELECT digest, length(content) AS bytes, stored_at AS "storedAt" FROM blobs ORDER BY digest';
    return (await this.#query(sql, [])).rows as unknown as Awaited<ReturnType<ArtifactStore['list']>>;
  }

  async delete(digest: Digest): Promise<void> {
    await this.#query('DELETE FROM blobs WHERE digest = $1', [digest]);
  }

  async #query(text: string, values: readonly unknown[]) {
    await this.#ready();
    return this.#connection.query(text, values, true);
  }
}
