import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledPackage } from '../../tools/index.ts';

const FILE = 'oka-install.json';

/** The packages in a folder. The record is written before the folder is renamed into place, so a recorded install is complete. */
export function readRecord(folder: string): readonly InstalledPackage[] {
  let text: string;
  try {
    text = readFileSync(join(folder, FILE), 'utf8');
  } catch {
    return [];
  }
  try {
    return (JSON.parse(text) as { packages: readonly InstalledPackage[] }).packages;
  } catch {
    // Edited by hand; unreadable packages are installed again.
    return [];
  }
}

export function writeRecord(folder: string, packages: readonly InstalledPackage[]): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify({ version: 1, packages }, null, 2)}\n`, {
    mode: 0o600,
  });
}
