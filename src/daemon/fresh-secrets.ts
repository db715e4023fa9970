import { statSync } from 'node:fs';

/**
 * Reloads the vault's secrets for redaction whenever the vault file changes, because other processes add values while a daemon
 * runs. Resolves when the newest values are known.
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
