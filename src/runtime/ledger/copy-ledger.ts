// Owns: copying the ledger of a workspace between its database and a server, and proving that both are equal afterwards.
// I1 The source is only read. The target gets records that continue it, or is refused unchanged.

import { FileArtifactStore } from '../../adapters/files/index.ts';
import { PostgresStores } from '../../adapters/postgres/index.ts';
import { copyableRecords, SqliteTables } from '../../adapters/sqlite/index.ts';
import type { LedgerCopyAnswer, LedgerCopyRequest } from '../../api/index.ts';
import { parseLocation, schemaOf } from '../../config/index.ts';
import type { ArtifactStore } from '../../engine/index.ts';
import { type Digest, digestOf, OkaError } from '../../kernel/index.ts';
import {
  copyRecords,
  type LedgerErrorCode,
  type LedgerHead,
  type RecordSource,
  type RecordTarget,
  type SqlTables,
} from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import type { OpenWorkspace } from '../services/open-workspace.ts';
import { comparableRow } from './compare-tables.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

declare const __OKA_VERSION__: string;

/** The name of the workspace's own database in a request. */
const OWN = 'workspace';

interface CopyEnd {
  readonly name: string;
  readonly records: RecordSource & RecordTarget;
  readonly tables: SqlTables;
  readonly artifacts: ArtifactStore;
  /** Ends the writing and closes the ledger. */
  close(): Promise<void>;
}

export async function copyLedger(
  services: OpenWorkspace,
  request: LedgerCopyRequest,
): Promise<LedgerCopyAnswer> {
  services.requireTrust();
  if (request.from === request.to) throw sameEnds(request.from);
  const source = openEnd(services, request.from);
  try {
    const target = openEnd(services, request.to);
    try {
      return await copyBetween(source, target, request.onProgress);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyBetween(
  source: CopyEnd,
  target: CopyEnd,
  onProgress: LedgerCopyRequest['onProgress'],
): Promise<LedgerCopyAnswer> {
  // Content first, so that no copied event names a missing artifact.
  const artifacts = await copyArtifacts(source.artifacts, target.artifacts);
  const events = await copyRecords(source.records, target.records, onProgress);
  const [head, copied] = [await source.records.head(), await target.records.head()];
  if (head.seq !== copied.seq || head.hash !== copied.hash) throw grown(head, copied);
  const tables: LedgerCopyAnswer['tables'][number][] = [];
  for (const { name, columns, key } of PROJECTIONS.flatMap((projection) => projection.tables)) {
    const sql = `SELECT ${Object.keys(columns).join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`;
    const [ours, theirs] = [await digestRows(source.tables, sql), await digestRows(target.tables, sql)];
    if (ours.digest !== theirs.digest) throw differs(name);
    tables.push({ table: name, rows: ours.rows });
  }
  return { from: source.name, to: target.name, events, artifacts, head, tables };
}

async function copyArtifacts(from: ArtifactStore, to: ArtifactStore): Promise<number> {
  const known = new Set((await to.list()).map(({ digest }) => digest));
  let copied = 0;
  for (const { digest } of await from.list()) {
    if (known.has(digest)) continue;
    const content = await from.get(digest as Digest);
    if (content === undefined) continue;
    await to.put(content, { mediaType: 'application/octet-stream' });
    copied += 1;
  }
  return copied;
}

async function digestRows(tables: SqlTables, sql: string): Promise<{ rows: number; digest: string }> {
  const rows = await tables.rows(sql);
  return { rows: rows.length, digest: digestOf(JSON.stringify(rows.map((row) => comparableRow(row)))) };
}

function openEnd(services: OpenWorkspace, place: string): CopyEnd {
  const { clock, random, owners } = services;
  const folder = services.requireWorkspace();
  if (place === OWN) {
    const ledger = new SqliteLedger(folder, { clock, random, owners, onWarning: services.warn });
    return {
      name: folder.database,
      records: copyableRecords(ledger.archive),
      tables: new SqliteTables(ledger.database, folder.database),
      artifacts: new FileArtifactStore(folder.objects, clock),
      close: async () => {
        // Writes the mirror of adopted events.
        await ledger.startWriting();
        await ledger.close();
      },
    };
  }
  const stores = new PostgresStores({
    ...parseLocation(place, schemaOf({ workspace: folder.workspace, id: folder.identity().id })),
    ...{ clock, random, projections: PROJECTIONS, version: __OKA_VERSION__ },
    onWarning: services.warn,
  });
  return {
    name: stores.server,
    records: stores.archive,
    tables: stores.tables,
    artifacts: stores.artifacts,
    close: () => stores.close(),
  };
}

function sameEnds(place: string): OkaError {
  return new OkaError('config.invalid', `"${place}" is both the source and the target. Name two ledgers.`);
}

function grown(head: LedgerHead, copied: LedgerHead): OkaError<LedgerErrorCode> {
  return new OkaError(
    'ledger.busy',
    `The source was written during the copy: it ends at event ${head.seq}, the copy at ${copied.seq}. Stop the daemon and the workers, and run the command again: it copies the rest.`,
    { data: { source: head.seq, target: copied.seq }, transient: true },
  );
}

function differs(table: string): OkaError<LedgerErrorCode> {
  return new OkaError(
    'ledger.damaged',
    `The events are equal, but the rows of the table ${table} differ. Run oka ledger verify on both ledgers.`,
    { data: { table } },
  );
}
