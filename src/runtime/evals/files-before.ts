import { type ArtifactStore, preimageOf } from '../../engine/index.ts';
import type { Digest, Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { decodeText } from '../../tools/index.ts';
import { statesIn } from '../runs/run-changes.ts';
import type { Blobs } from './replay-case.ts';

/** Larger files stay out of a case; criteria for them are checked only live. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The files that runs changed, as they were before: the digest of a blob, or null for a path without a file. */
export async function filesBefore(
  events: readonly LedgerEvent[],
  artifacts: ArtifactStore,
  blobs: Blobs,
): Promise<Record<string, string | null>> {
  const files = new Map<string, string | null | undefined>();
  for (const event of [...events].sort((a, b) => a.seq - b.seq))
    for (const { path, existed, folder, artifact } of statesIn(preimageOf(event))) {
      if (files.has(String(path)) || folder === true) continue;
      files.set(String(path), existed === true ? await keepText(artifact, artifacts, blobs) : null);
    }
  return Object.fromEntries([...files].filter((one): one is [string, string | null] => one[1] !== undefined));
}

async function keepText(
  digest: Json | undefined,
  artifacts: ArtifactStore,
  blobs: Blobs,
): Promise<string | undefined> {
  const bytes = typeof digest === 'string' ? await artifacts.get(digest as Digest) : undefined;
  if (bytes === undefined || bytes.length > MAX_FILE_BYTES) return undefined;
  const text = decodeText(bytes, false);
  return text === undefined ? undefined : blobs.add(text);
}
