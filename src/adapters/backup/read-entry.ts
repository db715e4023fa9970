import { digestOf, OkaError } from '../../kernel/index.ts';
import type { BackupErrorCode } from './backup-error.ts';
import type { BackupEntry } from './manifest.ts';
import { readArchive } from './read-archive.ts';

/**
 * The content of one entry of an archive, as `vault` or `objects/ab/cdef…`, compared with the manifest's digest. Undefined
 * when the archive has no such entry. Reads no further than to the entry, so damage behind it does no harm.
 */
export async function readBackupEntry(file: string, path: string): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  const done = new AbortController();
  let entry: BackupEntry | undefined;
  let isNamed = true;
  const sink = {
    write: async (chunk: Uint8Array) => void chunks.push(chunk),
    close: async () => done.abort(),
  };
  try {
    const { faults } = await readArchive(file, {
      signal: done.signal,
      onManifest: async ({ entries }) => {
        entry = entries.find((one) => one.path === path);
        isNamed = entry !== undefined;
        if (!isNamed) done.abort();
      },
      open: async (one) => (one === entry ? sink : undefined),
    });
    throw damaged(file, path, faults[0]?.what ?? 'it cannot be read');
  } catch (error) {
    if (!done.signal.aborted) throw error;
  }
  if (!isNamed) return undefined;
  const bytes = Buffer.concat(chunks);
  if (digestOf(bytes) === entry?.digest) return bytes;
  throw damaged(file, path, 'does not have the digest that the manifest names');
}

function damaged(file: string, path: string, what: string): OkaError<BackupErrorCode> {
  return new OkaError(
    'backup.damaged',
    `Cannot read ${path} from ${file}: ${what}. Use another backup; see what is wrong with this one with: oka backup verify.`,
    { data: { file, path } },
  );
}
