import type * as Keyring from '@napi-rs/keyring';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES } from './cipher.ts';
import type { KeyKeeper } from './key-keeper.ts';

const SERVICE = 'oka vault';
/** Named so that no bundler follows it: the package is native and may be missing. */
const PACKAGE: string = '@napi-rs/keyring';

/** Keeps keys in the keyring of the person's desktop. Whatever it lacks is `vault.keyring_unavailable`. */
export function systemKeyring(): KeyKeeper {
  return {
    where: (id) => `the keyring, under "${SERVICE}" ${id}`,
    keep: (id, key) =>
      withEntry(id, async (entry) => {
        const text = Buffer.from(key).toString('base64');
        await entry.setPassword(text);
        if ((await entry.getPassword()) !== text) throw new Error('it does not give back what it was given');
      }),
    find: (id) =>
      withEntry(id, async (entry) => {
        const text = await entry.getPassword();
        const key = text === null ? undefined : Buffer.from(text, 'base64');
        return key?.length === KEY_BYTES ? key : undefined;
      }),
    forget: (id) => withEntry(id, async (entry) => void (await entry.deletePassword())),
  };
}

async function withEntry<T>(id: string, work: (entry: Keyring.AsyncEntry) => Promise<T>): Promise<T> {
  try {
    const { AsyncEntry } = (await import(PACKAGE)) as typeof Keyring;
    // The kernel's own keyring, which is tried otherwise, forgets everything when the machine starts anew.
    return await work(new AsyncEntry(SERVICE, id, { linux: { store: 'secret-service' } }));
  } catch (cause) {
    const code: VaultErrorCode = 'vault.keyring_unavailable';
    const [why] = (cause as Error).message.split('\n');
    throw new OkaError(
      code,
      `the keyring of this machine cannot be used (${why}); unlock it, or keep the key elsewhere with --key-source file or passphrase.`,
      { cause },
    );
  }
}
