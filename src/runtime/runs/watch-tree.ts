import type { RunStore } from '../../engine/index.ts';
import type { EventStore, LedgerEvent } from '../../ledger/index.ts';
import type { TextListeners } from '../services/text-listeners.ts';
import { viewEvent } from '../services/views.ts';
import type { WatchOptions } from '../services/workspace-services.ts';
import { RunTreeFilter } from './run-tree-filter.ts';

/** Reports events, model text and activities of the run's tree while `work` runs. */
export async function watchTree<T>(
  parts: {
    readonly events: Pick<EventStore, 'subscribe'>;
    readonly runs: Pick<RunStore, 'list' | 'get'>;
    readonly text: TextListeners;
  },
  { onEvent, onText, onActivity }: Pick<WatchOptions, 'onEvent' | 'onText' | 'onActivity'>,
  run: string,
  work: () => Promise<T>,
): Promise<T> {
  if (onEvent === undefined && onText === undefined && onActivity === undefined) return work();
  let early: LedgerEvent[] | undefined = [];
  let filter = RunTreeFilter.ofNewRun(run);
  const report = (events: readonly LedgerEvent[]): void => {
    for (const event of events) if (filter.includes(event)) onEvent?.(viewEvent(event));
  };
  // Subscribed before the tree is read, so that a child that starts in between is not missed.
  const stopEvents = parts.events.subscribe((events) => {
    if (early === undefined) report(events);
    else early.push(...events);
  });
  let stopText: (() => void) | undefined;
  let stopActivity: (() => void) | undefined;
  try {
    filter = await RunTreeFilter.load(run, parts.runs);
    report(early);
    early = undefined;
    stopText = onText && parts.text.add(onText, (of) => filter.has(of));
    stopActivity = onActivity && parts.text.addActivity(onActivity, (of) => filter.has(of));
    return await work();
  } finally {
    stopEvents();
    stopText?.();
    stopActivity?.();
  }
}
