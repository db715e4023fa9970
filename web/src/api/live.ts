import { useEffect, useRef } from 'react';
import { useStore } from '../state/store.ts';
import { type Connection, EventStream, type LedgerEvent, type TextEvent } from './events.ts';
import { collectTexts, type LiveTexts } from './live-text.ts';
import { followLedger } from './live-updates.ts';
import { queryClient } from './query.ts';
import { readSession } from './session.ts';

const stream = new EventStream({
  // Asks why: an expired session answers 401, which shows its screen.
  onRefused: () => void readSession().catch(() => undefined),
});

const texts = collectTexts(stream);

/** What the runs of conversations write now, by run. */
export const useLiveTexts = (): LiveTexts => useStore(texts);

export function startLive(): void {
  followLedger(stream, queryClient);
  stream.start();
}

export const useConnection = (): Connection => useStore(stream.connection);

/** Calls the listener for every event of the ledger while the component is shown. */
export function useLedgerEvents(listener: (event: LedgerEvent) => void): void {
  const latest = useLatest(listener);
  useEffect(() => stream.onLedger((event) => latest.current(event)), [latest]);
}

/** Calls the listener for every piece of text that a model streams while the component is shown. */
export function useTextEvents(listener: (event: TextEvent) => void): void {
  const latest = useLatest(listener);
  useEffect(() => stream.onText((event) => latest.current(event)), [latest]);
}

function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
