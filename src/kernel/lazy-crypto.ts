import type * as Crypto from 'node:crypto';

let loaded: typeof Crypto | undefined;

/** Loads Node's crypto module on first use, so that commands without hashing start faster. */
export function lazyCrypto(): typeof Crypto {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}
