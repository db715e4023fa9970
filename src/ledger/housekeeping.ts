import type { Json, JsonObject } from '../kernel/index.ts';
import type { EventDraft } from './types.ts';

/** The stream of events about the ledger itself. */
export const SYSTEM_STREAM = 'system';

/** An event's address that survives rebuilds. */
export interface EventAddress {
  readonly stream: string;
  readonly index: number;
}

/** Names the bodies that it takes away, and why. */
export function bodyErased(events: readonly EventAddress[], reason: string): EventDraft {
  const streams: Record<string, Json> = {};
  for (const { stream, index } of events) {
    const indexes = (streams[stream] ?? []) as number[];
    streams[stream] = [...indexes, index];
  }
  return { type: 'body.erased', data: { reason, streams } };
}

/** The addresses that a `body.erased` event names. */
export function erasedAddresses(data: JsonObject): EventAddress[] {
  const streams = data['streams'] as Readonly<Record<string, readonly number[]>>;
  return Object.entries(streams).flatMap(([stream, indexes]) => indexes.map((index) => ({ stream, index })));
}

/** Says that a finished stream's events were dropped, keeping where it ended. */
export function streamArchived(archive: {
  readonly stream: string;
  readonly lastIndex: number;
  readonly chain: string;
  readonly reason: string;
}): EventDraft {
  return { type: 'stream.archived', data: { ...archive } };
}
