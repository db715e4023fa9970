import type * as Crypto from 'node:crypto';

let loaded: typeof Crypto | undefined;

/** Node's cryptography, loaded on first use: commands that hash nothing start without it. */
export function lazyCrypto(): typeof Crypto {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}
