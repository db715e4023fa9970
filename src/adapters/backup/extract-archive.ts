import { mkdir, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFull } from './backup-error.ts';
import { type BackupEntry, isBlobPath, PEOPLE_FILES, PEOPLE_FOLDERS } from './manifest.ts';
import { type ArchiveReader, type ArchiveReport, type EntrySink, readArchive } from './read-archive.ts';

/** What the ledger's verification needs: neither blobs nor what people wrote. */
function isOfLedger({ path }: BackupEntry): boolean {
  const [folder = ''] = path.split('/');
  return !isBlobPath(path) && !PEOPLE_FILES.includes(path) && !PEOPLE_FOLDERS.includes(folder);
}

/** Reads an archive whole and writes its files, or those of the ledger only, into a folder of the caller's own. */
export async function extractArchive(
  file: string,
  options: Pick<ArchiveReader, 'onBytes' | 'signal'> & {
    readonly into: string;
    readonly only: 'ledger' | 'all';
  },
): Promise<ArchiveReport> {
  const { into, only, ...reading } = options;
  const isWanted = only === 'ledger' ? isOfLedger : () => true;
  return readArchive(file, {
    ...reading,
    onManifest: async ({ entries }) => {
      const needed = entries.filter(isWanted).reduce((sum, { bytes }) => sum + bytes, 0);
      const { bavail, bsize } = await statfs(into);
      if (needed > bavail * bsize) throw diskFull(into);
    },
    open: async (entry) => (isWanted(entry) ? openSink(into, entry) : undefined),
  });
}

async function openSink(into: string, entry: BackupEntry): Promise<EntrySink> {
  const path = join(into, entry.path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', entry.executable === true ? 0o700 : 0o600);
  return {
    write: (chunk) => handle.writeFile(chunk),
    close: () => handle.close(),
  };
}
