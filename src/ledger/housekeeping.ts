import type { Json, JsonObject } from '../kernel/index.ts';
import type { EventDraft, EventRecord } from './types.ts';

/** The stream of events about the ledger itself. */
export const SYSTEM_STREAM = 'system';

/**
 * Why content was taken out to make room: a person called for it, or the configured retention was over. Any other reason
 * means that somebody wanted the content gone.
 */
export type RoomReason = 'gc' | 'retention';

const ROOM_REASONS: ReadonlySet<unknown> = new Set<RoomReason>(['gc', 'retention']);

export function isRoomReason(reason: unknown): reason is RoomReason {
  return ROOM_REASONS.has(reason);
}

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

/** Where an archived stream ended. */
export interface ArchivedStream {
  readonly stream: string;
  readonly lastIndex: number;
  readonly chain: string;
}

/** Says that a finished stream's events were dropped, keeping where it ended. */
export function streamArchived(archive: ArchivedStream & { readonly reason: string }): EventDraft {
  return { type: 'stream.archived', data: { ...archive } };
}

/** Records that the content of blobs is lost for good, so that verification reports it as known. */
export function blobsLost(digests: readonly string[], reason: string): EventDraft {
  return { type: 'blobs.lost', data: { digests: [...digests], reason } };
}

/** What a housekeeping event takes away from events before it. */
export type Removal =
  | { readonly erased: readonly EventAddress[] }
  | { readonly archived: ArchivedStream & { readonly beforeSeq: number } };

/** The removal that an event tells of; undefined for all but `body.erased` and `stream.archived`. */
export function removalOf(event: Pick<EventRecord, 'seq' | 'type' | 'dataText'>): Removal | undefined {
  if (event.type === 'body.erased') return { erased: erasedAddresses(JSON.parse(event.dataText)) };
  if (event.type !== 'stream.archived') return undefined;
  const { stream, lastIndex, chain } = JSON.parse(event.dataText) as ArchivedStream;
  return { archived: { stream, lastIndex, chain, beforeSeq: event.seq } };
}
