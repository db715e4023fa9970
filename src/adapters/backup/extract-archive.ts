import { mkdir, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digestOf, OkaError } from '../../kernel/index.ts';
import { type BackupErrorCode, diskFull } from './backup-error.ts';
import { type BackupEntry, isBlobPath, PEOPLE_FILES, PEOPLE_FOLDERS, whyLeftOut } from './manifest.ts';
import { type ArchiveReader, type ArchiveReport, type EntrySink, readArchive } from './read-archive.ts';

/** Whether verifying the ledger needs the file: it is neither a blob nor written by people. */
function isOfLedger({ path }: BackupEntry): boolean {
  const [folder = ''] = path.split('/');
  return !isBlobPath(path) && !PEOPLE_FILES.includes(path) && !PEOPLE_FOLDERS.includes(folder);
}

/** Reads a whole archive and writes its files, or only those of the ledger, into a folder. Leaves out what a backup never holds. */
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
    open: async (entry) =>
      isWanted(entry) && whyLeftOut(entry.path) === undefined ? openSink(into, entry) : undefined,
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

/**
 * The content of one entry of an archive, as `vault` or `objects/ab/cdef…`, compared with the manifest's digest. Undefined
 * when the archive has no such entry. Stops reading after the entry, so later damage does not matter.
 */
export async function readBackupEntry(file: string, path: string): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  const done = new AbortController();
  let entry: BackupEntry | undefined;
  const sink = {
    write: async (chunk: Uint8Array) => void chunks.push(chunk),
    close: async () => done.abort(),
  };
  try {
    const { faults } = await readArchive(file, {
      signal: done.signal,
      onManifest: async ({ entries }) => {
        entry = entries.find((one) => one.path === path);
        if (entry === undefined) done.abort();
      },
      open: async (one) => (one === entry ? sink : undefined),
    });
    throw damaged(file, path, faults[0]?.what ?? 'it cannot be read');
  } catch (error) {
    if (!done.signal.aborted) throw error;
  }
  if (entry === undefined) return undefined;
  const bytes = Buffer.concat(chunks);
  if (digestOf(bytes) === entry.digest) return bytes;
  throw damaged(file, path, 'does not have the digest that the manifest names');
}

function damaged(file: string, path: string, what: string): OkaError<BackupErrorCode> {
  return new OkaError(
    'backup.damaged',
    `Cannot read ${path} from ${file}: ${what}. Use another backup; see what is wrong with this one with: oka backup verify.`,
    { data: { file, path } },
  );
}
