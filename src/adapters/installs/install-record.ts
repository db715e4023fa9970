import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledPackage } from '../../tools/index.ts';

const FILE = 'oka-install.json';

/** What a folder was installed with. It is written before the folder gets its name, so whoever finds it finds all of it. */
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
    // A person's edit; what cannot be read is installed anew.
    return [];
  }
}

export function writeRecord(folder: string, packages: readonly InstalledPackage[]): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify({ version: 1, packages }, null, 2)}\n`, {
    mode: 0o600,
  });
}
