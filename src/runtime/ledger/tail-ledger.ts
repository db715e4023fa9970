import type { EventView } from '../../api/index.ts';
import { missingRun, runStream } from '../../engine/index.ts';
import { type Clock, waitUntil } from '../../kernel/index.ts';
import { viewEvent } from '../services/views.ts';
import type { OpenLedger } from './open-ledger.ts';

const LOOK_EVERY_MS = 100;
const BATCH = 500;

/** The last events, then new ones. Every event shown is durable, of this process or another. */
export async function* tailLedger(
  ledger: OpenLedger,
  clock: Clock,
  options: {
    readonly run?: string;
    readonly last: number;
    readonly follow: boolean;
    readonly signal?: AbortSignal;
  },
): AsyncGenerator<EventView> {
  const stream = options.run === undefined ? undefined : runStream(options.run);
  let seq: number;
  if (stream === undefined) {
    const { seq: head } = await ledger.store.head();
    seq = Math.max(0, head - options.last);
  } else {
    const events = await ledger.store.read(stream);
    if (events.length === 0) throw await missingRun(options.run as string, ledger.store);
    await ledger.store.makeDurable();
    for (const event of events.slice(Math.max(0, events.length - options.last))) yield viewEvent(event);
    seq = events.at(-1)?.seq ?? 0;
  }
  for (;;) {
    const events = await ledger.store.readAfter(seq, BATCH);
    if (events.length > 0) await ledger.store.makeDurable();
    for (const event of events) if (stream === undefined || event.stream === stream) yield viewEvent(event);
    seq = events.at(-1)?.seq ?? seq;
    if (events.length === BATCH) continue;
    if (!options.follow || options.signal?.aborted) return;
    await waitUntil(clock, clock.now() + LOOK_EVERY_MS, options.signal ? [options.signal] : []);
  }
}
