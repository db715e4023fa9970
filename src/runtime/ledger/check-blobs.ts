import type { ArtifactStore } from '../../engine/index.ts';
import { type Digest, isOkaError } from '../../kernel/index.ts';
import type { Fault } from '../../ledger/index.ts';

/** A blob that is not what the ledger needs. */
export interface BlobFault extends Fault {
  readonly digest: string;
  readonly isMissing: boolean;
}

const MISSING = 'is missing';

/** Reads each blob and compares it with its digest. */
export async function checkBlobs(
  artifacts: Pick<ArtifactStore, 'get'>,
  digests: Iterable<string>,
  onChecked: () => void = () => undefined,
): Promise<BlobFault[]> {
  const faults: BlobFault[] = [];
  for (const digest of digests) {
    const what = await problemOf(artifacts, digest);
    if (what !== undefined)
      faults.push({ where: `blob ${digest}`, what, digest, isMissing: what === MISSING });
    onChecked();
  }
  return faults;
}

/** Selects the faults of a ledger that needs these blobs. Others may be removed at any time, also after they were listed. */
export function isFaultOf(needed: ReadonlySet<string>): (fault: BlobFault) => boolean {
  return ({ digest, isMissing }) => !isMissing || needed.has(digest);
}

async function problemOf(artifacts: Pick<ArtifactStore, 'get'>, digest: string): Promise<string | undefined> {
  try {
    return (await artifacts.get(digest as Digest)) === undefined ? MISSING : undefined;
  } catch (error) {
    if (isOkaError(error, 'engine.artifact_damaged'))
      return 'does not have the content that it was stored with';
    return `cannot be read: ${(error as Error).message}`;
  }
}
