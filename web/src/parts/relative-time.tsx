import { type ReactNode, useEffect } from 'react';
import { createStore, useStore } from '../state/store.ts';
import { formatDuration, formatExact, formatRelative } from './format.ts';

const TICK_MS = 1_000;
const now = createStore(Date.now());
let shown = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, once a second, from one timer for the whole page. */
export function useNow(): number {
  useEffect(() => {
    shown++;
    if (timer === undefined) {
      now.set(Date.now());
      timer = setInterval(() => now.set(Date.now()), TICK_MS);
    }
    return () => {
      shown--;
      if (shown > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return useStore(now);
}

/** How long ago, with the exact time on hover. */
export function RelativeTime({ at }: { readonly at: number }): ReactNode {
  const text = formatRelative(at, useNow());
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExact(at)}>
      {text}
    </time>
  );
}

/** How long something took, or takes so far if it has no end. */
export function Duration({
  from,
  to,
}: {
  readonly from: number;
  readonly to?: number | undefined;
}): ReactNode {
  return to === undefined ? <RunningDuration from={from} /> : <span>{formatDuration(to - from)}</span>;
}

function RunningDuration({ from }: { readonly from: number }): ReactNode {
  const seconds = Math.floor((useNow() - from) / TICK_MS);
  return <span>{formatDuration(Math.max(0, seconds) * TICK_MS || TICK_MS)}</span>;
}
