import type { ClientBase } from 'pg';
import type { EventRecord, MirrorRecord, Removal } from '../../ledger/index.ts';
import { quoted } from './postgres-schema.ts';

/** Where a workspace is stored. */
export interface ReplicaPlace {
  readonly client: ClientBase;
  readonly schema: string;
  readonly workspace: string;
}

type Column = readonly [name: string, type: string, value: (event: EventRecord) => unknown];

const COLUMNS: readonly Column[] = [
  ['stream', 'text', (event) => storable(event.stream)],
  ['idx', 'bigint', (event) => event.index],
  ['type', 'text', (event) => storable(event.type)],
  ['at', 'bigint', (event) => event.at],
  ['actor', 'text', (event) => storable(event.actor)],
  ['ends', 'boolean', (event) => event.ends],
  ['data', 'text', (event) => event.dataText],
  ['body', 'text', (event) => event.bodyText],
  ['salt', 'text', (event) => event.salt],
  ['body_digest', 'text', (event) => event.bodyDigest],
];

/** Stores records; existing ones stay unchanged, so that nothing erased is restored. */
export async function insertRecords(place: ReplicaPlace, records: readonly MirrorRecord[]): Promise<void> {
  const arrays = COLUMNS.map(([, type], i) => `$${i + 4}::${type}[]`);
  const places = records.map((record) => ('event' in record ? record.event : record.archived));
  const values = COLUMNS.map(([, , read]) =>
    records.map((record) => ('event' in record ? read(record.event) : null)),
  );
  await place.client.query(
    `INSERT INTO ${tableOf(place)} (workspace, seq, chain, ${COLUMNS.map(([name]) => name).join(', ')})
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], ${arrays.join(', ')})
     ON CONFLICT (workspace, seq) DO NOTHING`,
    [place.workspace, places.map(({ seq }) => seq), places.map(({ chain }) => chain), ...values],
  );
}

/** Removes erased or archived content. */
export async function removeContent(place: ReplicaPlace, removal: Removal): Promise<void> {
  const { client, workspace } = place;
  if ('archived' in removal) {
    const { stream, lastIndex, beforeSeq } = removal.archived;
    const gone = COLUMNS.map(([name]) => `${name} = NULL`).join(', ');
    await client.query(
      `UPDATE ${tableOf(place)} SET ${gone}
       WHERE workspace = $1 AND md5(stream) = md5($2::text) AND stream = $2::text AND idx <= $3 AND seq < $4`,
      [workspace, storable(stream), lastIndex, beforeSeq],
    );
    return;
  }
  await client.query(
    `UPDATE ${tableOf(place)} e SET body = NULL, salt = NULL FROM unnest($2::text[], $3::bigint[]) AS erased (stream, idx)
     WHERE e.workspace = $1 AND md5(e.stream) = md5(erased.stream) AND e.stream = erased.stream AND e.idx = erased.idx`,
    [
      workspace,
      removal.erased.map(({ stream }) => storable(stream)),
      removal.erased.map(({ index }) => index),
    ],
  );
}

/** Reads records in order; with `types`, only events of those. */
export async function readRecords(
  place: ReplicaPlace,
  range: { readonly afterSeq: number; readonly limit: number; readonly types?: readonly string[] },
): Promise<readonly MirrorRecord[]> {
  const { afterSeq, limit, types } = range;
  const { rows } = await place.client.query<Record<string, unknown>>(
    `SELECT * FROM ${tableOf(place)} WHERE workspace = $1 AND seq > $2 AND ($4::text[] IS NULL OR type = ANY($4::text[]))
     ORDER BY seq LIMIT $3`,
    [place.workspace, afterSeq, limit, types ?? null],
  );
  return rows.map(toRecord);
}

function toRecord(row: Record<string, unknown>): MirrorRecord {
  const seq = Number(row['seq']);
  const chain = row['chain'] as string;
  if (row['stream'] === null) return { archived: { seq, chain } };
  const text = (name: string): string | null => row[name] as string | null;
  return {
    event: {
      seq,
      stream: original(text('stream')),
      index: Number(row['idx']),
      type: original(text('type')),
      at: Number(row['at']),
      actor: original(text('actor')),
      ends: row['ends'] === true,
      dataText: text('data') ?? '',
      bodyText: text('body'),
      salt: text('salt'),
      bodyDigest: text('body_digest'),
      chain,
    },
  };
}

const QUOTED = '\u0001json:';

/** PostgreSQL text cannot contain NUL; such a name is stored as marked JSON. */
function storable(name: string): string {
  return name.includes('\u0000') || name.startsWith(QUOTED) ? QUOTED + JSON.stringify(name) : name;
}

function original(stored: string | null): string {
  if (stored === null || !stored.startsWith(QUOTED)) return stored ?? '';
  return JSON.parse(stored.slice(QUOTED.length)) as string;
}

function tableOf({ schema }: ReplicaPlace): string {
  return `${quoted(schema)}.events`;
}
