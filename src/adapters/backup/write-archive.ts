import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack as startPack } from 'tar-stream';
import { OkaError, startDigest } from '../../kernel/index.ts';
import { sealOf } from './archive-seal.ts';
import { type BackupErrorCode, toBackupError } from './backup-error.ts';
import { type BackupEntry, type BackupManifest, formatManifest, isBlobPath, MANIFEST } from './manifest.ts';

export interface ArchiveSource {
  readonly manifest: Omit<BackupManifest, 'format'>;
  /** The file with the content of an entry. */
  readonly fileOf: (entry: BackupEntry) => string;
  readonly onBytes?: (written: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Writes an archive to a new file and syncs it. Returns its size. */
export async function writeArchive(file: string, source: ArchiveSource): Promise<number> {
  const pack = startPack();
  const running = startDigest();
  const handle = await open(file, 'wx', 0o600);
  try {
    const filling = fill(pack, source).catch((error: unknown) => pack.destroy(error as Error));
    await pipeline(
      pack,
      createGzip(),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          running.update(chunk);
          yield chunk;
        }
        yield sealOf(running.end());
      },
      async (chunks: AsyncIterable<Buffer>) => {
        // Unlike a single write, writeFile fails on a disk that becomes full.
        for await (const chunk of chunks) await handle.writeFile(chunk);
      },
      source.signal === undefined ? {} : { signal: source.signal },
    );
    await filling;
    await handle.sync();
    return (await handle.stat()).size;
  } catch (error) {
    throw toBackupError(error, file);
  } finally {
    await handle.close();
  }
}

async function fill(pack: Pack, { manifest, fileOf, onBytes }: ArchiveSource): Promise<void> {
  const mtime = new Date(manifest.createdAt);
  pack.entry({ name: MANIFEST, mode: 0o600, mtime }, formatManifest(manifest));
  let written = 0;
  for (const entry of manifest.entries) {
    const mode = entry.executable === true ? 0o700 : 0o600;
    const sink = pack.entry({ name: entry.path, size: entry.bytes, mode, mtime });
    await pipeline(
      createReadStream(fileOf(entry)),
      async function* (chunks: AsyncIterable<Buffer>) {
        const running = startDigest();
        for await (const chunk of chunks) {
          running.update(chunk);
          written += chunk.length;
          onBytes?.(written);
          yield chunk;
        }
        if (running.end() !== entry.digest) throw changed(entry.path, fileOf(entry));
      },
      sink,
    ).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? gone(fileOf(entry)) : error;
    });
  }
  pack.finalize();
}

/** A blob never changes, so a blob whose content does not match its name is damaged; other files are our own copies. */
function changed(path: string, file: string): OkaError<BackupErrorCode> {
  if (!isBlobPath(path)) return gone(file);
  return new OkaError(
    'backup.source_damaged',
    `${file} does not match the digest in its name. Restore it from an older backup with: oka ledger repair --backup FILE, or delete it.`,
    { data: { file, path } },
  );
}

/** Content may be erased during a backup; the backup is then repeated. */
function gone(file: string): OkaError<BackupErrorCode> {
  return new OkaError('backup.source_changed', `${file} changed during the backup. Run the command again.`, {
    data: { file },
    transient: true,
  });
}
