/** A larger output is refused: storing it takes several copies in memory. */
export const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 1_000;

/** Whether a value is longer than the limit as JSON. Stops at the limit, so that it is cheap even for huge and shared values. */
export function isLongerThan(value: unknown, limit: number): boolean {
  let left = limit;
  const count = (part: unknown, depth: number): void => {
    left -= typeof part === 'string' ? part.length + 2 : 1;
    if (left < 0 || part === null || typeof part !== 'object' || depth > MAX_DEPTH) return;
    if (ArrayBuffer.isView(part)) {
      left -= part.byteLength;
      return;
    }
    if (Array.isArray(part)) {
      for (let i = 0; i < part.length && left >= 0; i++) count(part[i], depth + 1);
      return;
    }
    for (const key in part) {
      if (left < 0) return;
      left -= key.length + 3;
      count((part as Record<string, unknown>)[key], depth + 1);
    }
  };
  count(value, 0);
  return left < 0;
}
