import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type * as Keyring from '@napi-rs/keyring';
import { syncPath, writeNewFile } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES } from './cipher.ts';
import { overwrite } from './locked-file.ts';

const SERVICE = 'oka vault';
/** A variable, so that no bundler resolves it: the package is native and may be missing. */
const PACKAGE: string = '@napi-rs/keyring';

/** Stores keys in the desktop keyring. Any failure is `vault.keyring_unavailable`. */
export function systemKeyring(): KeyStore {
  return {
    where: (id) => `the keyring, under "${SERVICE}" ${id}`,
    store: (id, key) =>
      withEntry(id, async (entry) => {
        const text = Buffer.from(key).toString('base64');
        await entry.setPassword(text);
        if ((await entry.getPassword()) !== text) throw new Error('it does not return the stored value');
      }),
    find: (id) =>
      withEntry(id, async (entry) => {
        const text = await entry.getPassword();
        const key = text === null ? undefined : Buffer.from(text, 'base64');
        return key?.length === KEY_BYTES ? key : undefined;
      }),
    delete: (id) => withEntry(id, async (entry) => void (await entry.deletePassword())),
  };
}

async function withEntry<T>(id: string, work: (entry: Keyring.AsyncEntry) => Promise<T>): Promise<T> {
  try {
    const { AsyncEntry } = (await import(PACKAGE)) as typeof Keyring;
    // The default, the kernel keyring, loses everything at reboot.
    return await work(new AsyncEntry(SERVICE, id, { linux: { store: 'secret-service' } }));
  } catch (cause) {
    const code: VaultErrorCode = 'vault.keyring_unavailable';
    const [why] = (cause as Error).message.split('\n');
    throw new OkaError(
      code,
      `The keyring of this machine is not usable (${why}). Unlock it, or store the key elsewhere with --key-source file or passphrase.`,
      { cause },
    );
  }
}

/** Stores keys by id. */
export interface KeyStore {
  /** The location of the key, for people. */
  where(id: string): string;
  /** Stores a key durably before it resolves. */
  store(id: string, key: Uint8Array): Promise<void>;
  find(id: string): Promise<Uint8Array | undefined>;
  delete(id: string): Promise<void>;
}

/** Stores keys in private files of the user's folder. */
export function keyFiles(home: string): KeyStore {
  const folder = join(home, 'keys');
  const place = (id: string): string => join(folder, `${id}.key`);
  return {
    where: (id) => place(id),
    async store(id, key) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeNewFile(place(id), `${Buffer.from(key).toString('hex')}\n`);
      syncPath(folder);
    },
    async find(id) {
      return existsSync(place(id)) ? readKey(place(id)) : undefined;
    },
    async delete(id) {
      if (!existsSync(place(id))) return;
      const descriptor = openSync(place(id), constants.O_RDWR | constants.O_NOFOLLOW);
      try {
        overwrite(descriptor);
      } finally {
        closeSync(descriptor);
      }
      rmSync(place(id));
    },
  };
}

function readKey(file: string): Uint8Array {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (process.platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0)
      throw refusal(
        'vault.key_exposed',
        `${file} is readable by others. Fix it with: chmod 600 '${file}'.`,
        file,
      );
    const text = readFileSync(descriptor, 'latin1').trim();
    if (/^[0-9a-f]+$/.test(text) && text.length === KEY_BYTES * 2) return Buffer.from(text, 'hex');
    throw refusal('vault.wrong_key', `${file} contains no valid key. Restore it from a backup.`, file);
  } finally {
    closeSync(descriptor);
  }
}

function refusal(code: VaultErrorCode, message: string, file: string): OkaError<VaultErrorCode> {
  return new OkaError(code, message, { data: { file } });
}
