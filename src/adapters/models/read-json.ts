import { parseJson } from '../../kernel/index.ts';
/** Parses JSON; undefined if it is invalid. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The JSON body of a response; undefined if it is invalid or larger than the limit. */
export async function readJsonBody(response: Response, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of response.body ?? []) {
    left -= chunk.length;
    if (left < 0) return undefined;
    chunks.push(chunk);
  }
  return readJson(Buffer.concat(chunks).toString('utf8'));
}

/** A member of an object; undefined for anything else. */
export function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
