const LONGEST_CHARACTER_BYTES = 4;

/** The text of a file's bytes; undefined when they are not text. A character that was cut at the end is left out. */
export function decodeText(bytes: Uint8Array, truncated: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let cut = 0; cut < (truncated ? LONGEST_CHARACTER_BYTES : 1); cut++) {
    try {
      return strict.decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      // Not valid up to here; one byte less may be, if only the last character was cut.
    }
  }
  return undefined;
}
