import type { Response } from 'undici';

/** Reads the decoded body up to a limit, and cuts it while it streams. */
export async function readCapped(
  response: Response,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  let truncated = false;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    chunks.push(bytes.subarray(0, left));
    truncated = bytes.length > left;
    left -= Math.min(left, bytes.length);
    if (truncated) break;
  }
  return { body: Buffer.concat(chunks), truncated };
}
