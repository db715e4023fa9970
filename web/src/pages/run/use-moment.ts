import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useUrlParam } from '../../state/use-url-param.ts';
import { asOf } from './record/as-of.ts';
import { foldTree } from './record/fold-tree.ts';
import type { RunEvent, TreeRecord } from './record/types.ts';

const WRITE_MS = 250;

export interface Moment {
  /** The record as of the chosen event. */
  readonly tree: TreeRecord;
  /** The record with all events. */
  readonly whole: TreeRecord;
  /** How many events have happened, of all. */
  readonly count: number;
  /** False if an earlier moment was chosen. */
  readonly isNow: boolean;
  /** Chooses how many events have happened; all of them follows the run. */
  readonly choose: (count: number) => void;
}

/** The chosen moment. It is in the address, written when the scrubber rests: browsers limit how often it may change. */
export function useMoment(events: readonly RunEvent[] | undefined): Moment | undefined {
  const [written, write] = useUrlParam('at');
  const [seq, setSeq] = useState(written);
  useEffect(() => setSeq(written), [written]);
  useEffect(() => {
    if (seq === written) return;
    const timer = setTimeout(() => write(seq), WRITE_MS);
    return () => clearTimeout(timer);
  }, [seq, written, write]);
  const total = events?.length ?? 0;
  const chosen = seq === '' || events === undefined ? total : countUntil(events, Number(seq));
  const count = useDeferredValue(chosen);
  const whole = useMemo(() => events && foldTree(events), [events]);
  const tree = useMemo(
    () => (whole === undefined || count >= whole.events.length ? whole : asOf(whole, count)),
    [whole, count],
  );
  const choose = useCallback(
    (next: number) => {
      const event = events?.[next - 1];
      setSeq(event === undefined || next >= (events?.length ?? 0) ? '' : String(event.seq));
    },
    [events],
  );
  if (whole === undefined || tree === undefined) return undefined;
  return { tree, whole, count: Math.max(1, chosen), isNow: chosen >= total, choose };
}

/** How many events have a position up to this one. */
function countUntil(events: readonly RunEvent[], seq: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as RunEvent).seq <= seq) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}
