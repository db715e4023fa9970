// Owns: the user's key that signs the heads of ledgers: OKA_HOME/signing-key.pem, Ed25519, readable by its owner only.
import type { KeyObject } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, readTextFile, writeNewFile } from '../../disk/index.ts';
import { OkaError, systemRandom } from '../../kernel/index.ts';

/** Loaded on first use: commands that only read do not need it. */
const crypto = () => process.getBuiltinModule('node:crypto');

export class SigningKey {
  readonly #file: string;
  readonly #home: string;
  #key: KeyObject | undefined;

  constructor(home: string) {
    this.#home = home;
    this.#file = join(home, 'signing-key.pem');
  }

  /** The public key as base64 of its DER form; undefined if the user has no key yet. */
  get publicKey(): string | undefined {
    const key = this.#read();
    return key === undefined ? undefined : publicPart(key);
  }

  /** Signs a text. Makes the key on first use. */
  sign(text: string): { readonly key: string; readonly signature: string } {
    const key = this.#read() ?? this.#make();
    return {
      key: publicPart(key),
      signature: crypto().sign(null, Buffer.from(text), key).toString('base64'),
    };
  }

  /** A secret of the user for another purpose. Makes the key on first use. */
  derive(purpose: string): string {
    const key = this.#read() ?? this.#make();
    const text = key.export({ type: 'pkcs8', format: 'der' }).toString('hex');
    return crypto().createHmac('sha256', text).update(purpose).digest('hex');
  }

  #read(): KeyObject | undefined {
    if (this.#key !== undefined) return this.#key;
    const text = readTextFile(this.#file);
    if (text === undefined) return undefined;
    try {
      this.#key = crypto().createPrivateKey(text);
    } catch (cause) {
      throw new OkaError(
        'config.malformed',
        `${this.#file} is not a key. Restore it from a backup of your folder, or remove it and accept each ledger again: oka ledger repair --accept-head.`,
        { data: { file: this.#file }, cause },
      );
    }
    return this.#key;
  }

  /** Another process may make the key at the same moment; the first one counts. */
  #make(): KeyObject {
    makePrivateFolder(this.#home);
    const { privateKey } = crypto().generateKeyPairSync('ed25519');
    const temporary = `${this.#file}.${systemRandom.hex(8)}`;
    writeNewFile(temporary, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
    try {
      linkSync(temporary, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
    return this.#read() as KeyObject;
  }
}

function publicPart(key: KeyObject): string {
  return crypto().createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

export function isSignedBy(key: string, text: string, signature: string): boolean {
  try {
    const publicKey = crypto().createPublicKey({
      key: Buffer.from(key, 'base64'),
      type: 'spki',
      format: 'der',
    });
    return crypto().verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
