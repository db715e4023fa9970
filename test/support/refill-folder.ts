import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Restores a workspace from a snapshot. It keeps the folder itself, because a new one would not be trusted, and removes the
 * user's signed heads, because they are newer than the snapshot.
 */
export function refillFolder(folder: string, snapshot: string, home: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  cpSync(snapshot, folder, { recursive: true, preserveTimestamps: true });
  rmSync(join(home, 'heads'), { recursive: true, force: true });
}
