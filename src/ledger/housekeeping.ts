import type { Json, JsonObject } from '../kernel/index.ts';
import type { EventDraft, EventRecord } from './types.ts';

/** The stream of events about the ledger itself. */
export const SYSTEM_STREAM = 'system';

/**
 * Content was removed to free space: on request, or after the configured retention. Any other reason means that a user
 * wanted the content erased.
 */
export type CleanupReason = 'gc' | 'retention';

const CLEANUP_REASONS: ReadonlySet<unknown> = new Set<CleanupReason>(['gc', 'retention']);

export function isCleanupReason(reason: unknown): reason is CleanupReason {
  return CLEANUP_REASONS.has(reason);
}

/** The address of an event; it survives rebuilds. */
export interface EventAddress {
  readonly stream: string;
  readonly index: number;
}

/** Records which bodies are erased, and why. */
export function bodyErased(events: readonly EventAddress[], reason: string): EventDraft {
  return { type: 'body.erased', data: { reason, streams: byStream(events) } };
}

/** Records that a repair left out damaged events: their positions, and the addresses that later events of a stream skip. */
export function eventsLost(seqs: readonly number[], skipped: readonly EventAddress[]): EventDraft {
  return { type: 'events.lost', data: { seqs: [...seqs], streams: byStream(skipped) } };
}

function byStream(events: readonly EventAddress[]): Record<string, Json> {
  const streams: Record<string, Json> = {};
  for (const { stream, index } of events) {
    const indexes = (streams[stream] ?? []) as number[];
    streams[stream] = [...indexes, index];
  }
  return streams;
}

/** The addresses in a `body.erased` or `events.lost` event. */
export function namedAddresses(data: JsonObject): EventAddress[] {
  const streams = data['streams'] as Readonly<Record<string, readonly number[]>>;
  return Object.entries(streams).flatMap(([stream, indexes]) => indexes.map((index) => ({ stream, index })));
}

/** The end of an archived stream. */
export interface ArchivedStream {
  readonly stream: string;
  readonly lastIndex: number;
  readonly chain: string;
}

/** Records that a finished stream's events were removed, and where the stream ended. */
export function streamArchived(archive: ArchivedStream & { readonly reason: string }): EventDraft {
  return { type: 'stream.archived', data: { ...archive } };
}

/** Records that blobs are permanently lost, so that verification reports them as known. */
export function blobsLost(digests: readonly string[], reason: string): EventDraft {
  return { type: 'blobs.lost', data: { digests: [...digests], reason } };
}

/** Records that the user adopted a ledger of unknown origin: nothing before this event is trusted. */
export function ledgerAdopted(): EventDraft {
  return { type: 'ledger.adopted', data: {} };
}

/** What a housekeeping event removes from earlier events. */
export type Removal =
  | { readonly erased: readonly EventAddress[] }
  | { readonly archived: ArchivedStream & { readonly beforeSeq: number } };

/** The removal that an event records; undefined for all types but `body.erased` and `stream.archived`. */
export function removalOf(event: Pick<EventRecord, 'seq' | 'type' | 'dataText'>): Removal | undefined {
  if (event.type === 'body.erased') return { erased: namedAddresses(JSON.parse(event.dataText)) };
  if (event.type !== 'stream.archived') return undefined;
  const { stream, lastIndex, chain } = JSON.parse(event.dataText) as ArchivedStream;
  return { archived: { stream, lastIndex, chain, beforeSeq: event.seq } };
}
