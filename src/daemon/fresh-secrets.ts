import { statSync } from 'node:fs';

/**
 * Learns what must not be seen whenever the vault has changed since: other processes put values into it while a daemon runs.
 * Whoever asks goes on when the newest values are known.
 */
export function freshSecrets(vaultFile: string, learn: () => Promise<void>): () => Promise<void> {
  let known: string | undefined;
  let learning: Promise<void> = Promise.resolve();
  return () => {
    const version = versionOf(vaultFile);
    if (version !== known) {
      known = version;
      learning = learn().catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    }
    return learning;
  };
}

function versionOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs}`;
}
