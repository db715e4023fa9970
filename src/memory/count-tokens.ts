const BYTES_PER_TOKEN = 4;

/** About how many tokens a model counts in a text: one for every four bytes. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
