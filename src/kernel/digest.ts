import type * as Crypto from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** A SHA-256 value as 64 lower-case hex digits. */
export type Digest = string & { readonly brand: 'Digest' };

/** SHA-256 of a text (as UTF-8) or of bytes. */
export function digestOf(content: string | Uint8Array): Digest {
  return lazyCrypto().hash('sha256', content as string) as Digest;
}

/** SHA-256 of a value's canonical JSON: equal values have equal digests. */
export function digestOfJson(value: unknown): Digest {
  return digestOf(canonicalJson(value));
}

/** Computes a digest over chunks of streamed content. */
export function startDigest(): { update(chunk: Uint8Array): void; end(): Digest } {
  const running = lazyCrypto().createHash('sha256');
  return {
    update: (chunk) => void running.update(chunk),
    end: () => running.digest('hex') as Digest,
  };
}

const HEX_DIGEST = /^[0-9a-f]{64}$/;

export function isDigest(text: unknown): text is Digest {
  return typeof text === 'string' && HEX_DIGEST.test(text);
}

let loaded: typeof Crypto | undefined;

/** Loads Node's crypto module on first use, so that commands without hashing start faster. */
export function lazyCrypto(): typeof Crypto {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}
