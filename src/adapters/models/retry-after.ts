/** The wait that a response requests, from `retry-after-ms` or from `retry-after` in seconds or as a date. */
export function retryAfterIn(
  headers: Readonly<Record<string, string | undefined>> | undefined,
  now: number,
): number | undefined {
  const milliseconds = numberIn(headers?.['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const text = headers?.['retry-after'];
  const seconds = numberIn(text);
  if (seconds !== undefined) return seconds * 1_000;
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
