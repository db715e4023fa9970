import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { KeyStore } from '../../src/adapters/vault/index.ts';
import { createRedactor, sortableIds } from '../../src/kernel/index.ts';
import type { EventStore } from '../../src/ledger/index.ts';
import { openVault } from '../../src/runtime/vault/vault.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A keyring that keeps its keys in memory. */
export class MemoryKeyring implements KeyStore {
  readonly keys = new Map<string, Uint8Array>();

  where(id: string): string {
    return `memory, under ${id}`;
  }

  async store(id: string, key: Uint8Array): Promise<void> {
    this.keys.set(id, Uint8Array.from(key));
  }

  async find(id: string): Promise<Uint8Array | undefined> {
    const key = this.keys.get(id);
    return key && Uint8Array.from(key);
  }

  async delete(id: string): Promise<void> {
    this.keys.delete(id);
  }
}

export interface VaultKitOptions {
  readonly root?: string;
  readonly home?: string;
  readonly clock?: ManualClock;
  readonly keyring?: KeyStore;
  readonly seed?: number;
  readonly wrapEvents?: (events: EventStore) => EventStore;
}

/** A vault on a real ledger in a folder of the test's own, as one process has it. */
export function vaultKit(options: VaultKitOptions = {}) {
  const root = options.root ?? tempFolder();
  const home = options.home ?? join(tempFolder(), 'home');
  const clock = options.clock ?? new ManualClock();
  const ledger = openTestLedger(root, { clock, seed: options.seed ?? 1 });
  onTestFinished(() => ledger.close());
  const redactor = createRedactor();
  const keyring = options.keyring ?? new MemoryKeyring();
  const directory = join(root, '.oka');
  const parts = {
    directory,
    home,
    clock,
    redactor,
    ids: sortableIds(clock, seededRandom(options.seed ?? 1)),
    keyring,
  };
  const events = options.wrapEvents?.(ledger.events) ?? ledger.events;
  const { vault, secrets } = openVault(parts, { database: ledger.database, tables: ledger.tables, events });
  const file = join(directory, 'vault');
  return { root, home, clock, keyring, ledger, redactor, vault, secrets, file };
}

/** The files below some folders that hold one of the texts, in whatever form it is likely to take. */
export function filesHolding(folders: readonly string[], ...texts: readonly string[]): string[] {
  const forms = texts.flatMap((text) => [
    Buffer.from(text),
    ...(['hex', 'base64'] as const).map((encoding) => Buffer.from(Buffer.from(text).toString(encoding))),
  ]);
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => {
        const content = contentOf(path);
        return forms.some((form) => content.includes(form));
      }),
  );
}

/** A file that is gone holds nothing: SQLite takes some away when its last connection is let go. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
}
