import type * as Keyring from '@napi-rs/keyring';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES } from './cipher.ts';
import type { KeyStore } from './key-store.ts';

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
