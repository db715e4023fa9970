import * as z from 'zod';
import { list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const packPreviewRequest = z.object({
  goal: text,
  /** The maximum of tokens. Default: the cap of a run. */
  cap: number.exactOptional(),
  /** Default: the default agent. */
  agent: text.exactOptional(),
});
export type PackPreviewRequest = TypeOf<typeof packPreviewRequest>;

const scoredItem = z.object({ kind: text, id: text, tokens: number, score: number });

/** An item that a model would see. */
const packItemView = scoredItem.extend({
  text,
  /** Dropped last. */
  pinned: z.literal(true).exactOptional(),
  /** Shown as information, never as an instruction. */
  untrusted: z.literal(true).exactOptional(),
  /** A learned fact that nobody confirmed. */
  unconfirmed: z.literal(true).exactOptional(),
  /** What a model is told of it, such as that it is stale. */
  note: text.exactOptional(),
  /** The number of characters that would be cut. */
  cut: number.exactOptional(),
});
export type PackItemView = TypeOf<typeof packItemView>;

/** An item that a model would not see, and why. */
const droppedItemView = scoredItem.extend({ why: z.enum(['cap', 'limit', 'duplicate', 'empty', 'gone']) });
export type DroppedItemView = TypeOf<typeof droppedItemView>;

const packAnswer = z.object({
  items: list(packItemView),
  dropped: list(droppedItemView),
  tokens: number,
  cap: number,
  /** The digest of the text that a model would read. */
  digest: text,
  /** Sources that failed. */
  faults: list(z.object({ source: text, what: text })),
});
export type PackAnswer = TypeOf<typeof packAnswer>;

/** Context packs: the memory that a run gets. */
export interface MemoryPackApi {
  /** The pack that a run for this goal would get now. Sends and records nothing. */
  preview(request: PackPreviewRequest): Promise<PackAnswer>;
}

export const memoryPackSchemas: SchemasOf<MemoryPackApi> = { preview: [[packPreviewRequest], packAnswer] };
