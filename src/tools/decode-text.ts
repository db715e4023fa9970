const MAX_CHARACTER_BYTES = 4;

/** Decodes UTF-8; undefined if the bytes are not text. Drops an incomplete last character of truncated bytes. */
export function decodeText(bytes: Uint8Array, truncated: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let cut = 0; cut < (truncated ? MAX_CHARACTER_BYTES : 1); cut++) {
    try {
      return strict.decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      // If only the last character is incomplete, fewer bytes are valid.
    }
  }
  return undefined;
}
