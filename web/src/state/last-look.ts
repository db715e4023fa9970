const KEY = 'oka.lastLook';
const DAY_MS = 86_400_000;

/** When Home was last closed or hidden; before the first time, a day ago. */
export function lastLookAt(now = Date.now()): number {
  const stored = Number(localStorage.getItem(KEY));
  return stored > 0 && stored <= now ? stored : now - DAY_MS;
}

export function rememberLook(now = Date.now()): void {
  localStorage.setItem(KEY, String(now));
}
