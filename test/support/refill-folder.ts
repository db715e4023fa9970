import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a workspace as it was in a snapshot. The folder itself stays, because a new one would not be trusted, and the user's
 * signed heads go, because the snapshot is older than they are.
 */
export function refillFolder(folder: string, snapshot: string, home: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  cpSync(snapshot, folder, { recursive: true, preserveTimestamps: true });
  rmSync(join(home, 'heads'), { recursive: true, force: true });
}
