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
import { syncPath, writeNewFile } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES } from './cipher.ts';
import type { KeyStore } from './key-store.ts';
import { overwrite } from './locked-file.ts';

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
