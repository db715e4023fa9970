import { dirname, join } from 'node:path';
import {
  type BackupEntry,
  type BackupErrorCode,
  type BackupManifest,
  blobPath,
  checkTarget,
  copyPeopleFiles,
  DATABASE,
  describeFile,
  discardStaged,
  MIRROR,
  publishArchive,
  readVault,
  stageAttempt,
  stageBackup,
  stagedArchive,
  toBackupError,
  VAULT,
  writeArchive,
  writeLines,
  writeVault,
} from '../../adapters/backup/index.ts';
import { FileArtifactStore } from '../../adapters/files/index.ts';
import { dropLeases, hasErasedSince, pinDatabase, withWriteLock } from '../../adapters/sqlite/index.ts';
import { SignedHeads, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { BackupApi, BackupCreateAnswer, Fault } from '../../api/index.ts';
import type { ArtifactStore } from '../../engine/index.ts';
import { type Digest, isOkaError, OkaError } from '../../kernel/index.ts';
import { archivedLine, mirrorLine } from '../../ledger/index.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import { SqliteLedger } from '../ledger/sqlite-ledger.ts';
import { addUsedGraphs, collectDigests } from '../maintenance/remove-content.ts';
import { contentsOf } from './backup-contents.ts';
import { type BackupParts, verifyCopy } from './verify-copy.ts';

declare const __OKA_VERSION__: string;

/** An erasure during a backup restarts it; more restarts than this mean a busy cleanup. */
const MAX_ATTEMPTS = 5;

type CreateRequest = Parameters<BackupApi['create']>[0];
type Manifest = Omit<BackupManifest, 'format'>;

/** Writes one consistent state of the workspace into one file, while other processes keep writing. */
export async function createBackup(parts: BackupParts, request: CreateRequest): Promise<BackupCreateAnswer> {
  const { directory } = parts.requireWorkspace();
  const target = await checkTarget(request.file, directory, request.force);
  const ledger = parts.ledger();
  const staged = stageBackup(dirname(target), parts.owners);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const made = await attemptBackup(parts, request, staged).catch((error: unknown) => {
        if (attempt < MAX_ATTEMPTS && isOkaError(error, 'backup.source_changed')) return undefined;
        throw error;
      });
      // Content erased meanwhile must not survive in a backup finished later.
      await ledger.refresh();
      if (made !== undefined && !hasErasedSince(ledger.database, made.manifest.head.seq)) {
        await publishArchive(stagedArchive(staged), target, request.force);
        const { manifest, bytes, warnings } = made;
        return { file: target, bytes, ...contentsOf(manifest), warnings };
      }
      if (attempt === MAX_ATTEMPTS) throw erasedTooOften(target);
    }
  } catch (error) {
    throw toBackupError(error, target);
  } finally {
    discardStaged(staged);
  }
}

function erasedTooOften(file: string): OkaError<BackupErrorCode> {
  return new OkaError(
    'backup.source_changed',
    `No backup was written to ${file}: content was erased during each of ${MAX_ATTEMPTS} attempts. Run the command again when oka ledger gc has ended.`,
    { data: { file, attempts: MAX_ATTEMPTS }, transient: true },
  );
}

interface Attempt {
  readonly manifest: Manifest;
  readonly bytes: number;
  readonly warnings: readonly Fault[];
}

async function attemptBackup(parts: BackupParts, request: CreateRequest, staged: string): Promise<Attempt> {
  const { onProgress, signal } = request;
  const workspace = stageAttempt(staged);
  const { directory: copy, mirror } = new WorkspaceFolder(workspace);
  const schema = await copyDatabaseAndVault(parts, copy, (done, total) =>
    onProgress?.({ phase: 'copy', done, total }),
  );
  signal?.throwIfAborted();
  onProgress?.({ phase: 'verify', done: 0, total: 0 });
  const blobs = await writeMirror(parts, workspace, mirror);
  const { paths, skipped } = await copyPeopleFiles(parts.folder.directory, copy);
  const { head, faults, warnings } = await verifyCopy(workspace, parts, (done, total) =>
    onProgress?.({ phase: 'verify', done, total }),
  );
  if (faults.length > 0) throw sourceDamaged(parts.folder.database, faults);
  signal?.throwIfAborted();
  const hasVault = readVault(copy) !== undefined;
  const entries: BackupEntry[] = [];
  for (const path of [DATABASE, MIRROR, ...(hasVault ? [VAULT] : []), ...paths])
    entries.push(await describeFile(copy, path));
  entries.push(...blobs);
  const signed = new SignedHeads(parts).seal(parts.folder.identity().id ?? '', head);
  const manifest = { oka: __OKA_VERSION__, schema, createdAt: parts.clock.now(), head, entries, signed };
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const isBlob = new Set(blobs);
  const isShared = parts.ledger().shared !== undefined;
  const bytes = await writeArchive(stagedArchive(staged), {
    manifest,
    // The artifacts of a server were copied; those of a workspace are read where they are.
    fileOf: (entry) => join(isBlob.has(entry) && !isShared ? parts.folder.directory : copy, entry.path),
    onBytes: (done) => onProgress?.({ phase: 'write', done, total }),
    signal,
  });
  const left = skipped.map(({ path, why }) => ({ where: `.oka/${path}`, what: `was left out: ${why}` }));
  return { manifest, bytes, warnings: [...left, ...warnings] };
}

/**
 * Copies the database and the vault of one moment. The vault changes only under the lock of the database and before the event
 * that names a record; so a vault read while no process writes has every record that the pinned database names.
 */
async function copyDatabaseAndVault(
  parts: BackupParts,
  copy: string,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const { folder } = parts;
  const ledger = parts.ledger();
  await ledger.refresh();
  const { snapshot, vault } = withWriteLock(ledger.database, ledger.databaseFile, () => ({
    snapshot: pinDatabase(ledger.databaseFile),
    vault: readVault(folder.directory),
  }));
  try {
    await snapshot.copyTo(join(copy, DATABASE), onProgress);
    dropLeases(join(copy, DATABASE));
  } finally {
    snapshot.close();
  }
  if (vault !== undefined) await writeVault(copy, vault);
  return snapshot.schema;
}

/** Writes the mirror of the copied ledger. Returns the artifacts that its events reference. */
async function writeMirror(
  { clock, folder, ledger: openSource, ...ports }: BackupParts,
  workspace: string,
  file: string,
): Promise<readonly BackupEntry[]> {
  const source = openSource();
  const staged = new WorkspaceFolder(workspace);
  const artifacts = openArtifacts({ folder, clock }, source);
  const stored = await artifacts.list();
  const digests = new Set<string>(stored.map(({ digest }) => digest));
  const named = new Set<string>();
  const graphs = new Set<string>();
  const ledger = new SqliteLedger(staged, { clock, ...ports });
  function* lines(): Generator<string> {
    for (const record of ledger.archive.records()) {
      if ('archived' in record) {
        yield archivedLine(record.archived);
        continue;
      }
      const { type, dataText, bodyText } = record.event;
      if (type === 'run.started') collectDigests(dataText, graphs);
      const found = new Set<string>();
      collectDigests(dataText + (bodyText ?? ''), found);
      for (const digest of found) if (digests.has(digest)) named.add(digest);
      yield mirrorLine(record.event);
    }
  }
  try {
    await writeLines(file, lines());
  } finally {
    await ledger.close();
  }
  await addUsedGraphs(artifacts, graphs);
  const kept = stored.filter(({ digest }) => named.has(digest) || graphs.has(digest));
  if (source.shared !== undefined)
    await copyBlobs(kept, artifacts, new FileArtifactStore(staged.objects, clock));
  return kept.map(({ digest, bytes }) => ({ path: blobPath(digest), bytes, digest }));
}

async function copyBlobs(
  blobs: readonly { readonly digest: Digest }[],
  from: ArtifactStore,
  to: ArtifactStore,
): Promise<void> {
  for (const { digest } of blobs) {
    const content = await from.get(digest);
    if (content !== undefined) await to.put(content, { mediaType: 'application/octet-stream' });
  }
}

function sourceDamaged(database: string, faults: readonly Fault[]): OkaError<BackupErrorCode> {
  const [first] = faults;
  return new OkaError(
    'backup.source_damaged',
    `No backup was made: the ledger in ${database} does not verify (${first?.where}: ${first?.what}). See every fault with: oka ledger verify.`,
    { data: { database, faults } },
  );
}
