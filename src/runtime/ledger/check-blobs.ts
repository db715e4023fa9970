import type { ArtifactStore } from '../../engine/index.ts';
import { type Digest, isOkaError } from '../../kernel/index.ts';
import type { Fault } from '../../ledger/index.ts';

/** A blob that is not what the ledger needs. */
export interface BlobFault extends Fault {
  readonly digest: string;
}

/** Reads each blob and compares it with its digest. */
export async function checkBlobs(
  artifacts: Pick<ArtifactStore, 'get'>,
  digests: Iterable<string>,
  onChecked: () => void = () => undefined,
): Promise<BlobFault[]> {
  const faults: BlobFault[] = [];
  for (const digest of digests) {
    const what = await problemOf(artifacts, digest);
    if (what !== undefined) faults.push({ where: `blob ${digest}`, what, digest });
    onChecked();
  }
  return faults;
}

async function problemOf(artifacts: Pick<ArtifactStore, 'get'>, digest: string): Promise<string | undefined> {
  try {
    return (await artifacts.get(digest as Digest)) === undefined ? 'is missing' : undefined;
  } catch (error) {
    if (isOkaError(error, 'engine.artifact_damaged'))
      return 'does not have the content that it was stored with';
    return `cannot be read: ${(error as Error).message}`;
  }
}
