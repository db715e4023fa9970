import * as z from 'zod';

import { list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const packPreviewRequest = z.object({
  goal: text,
  /** The most tokens; left out, what a run would get. */
  cap: number.exactOptional(),
  /** Who would be at it; left out, the usual agent. */
  agent: text.exactOptional(),
});
export type PackPreviewRequest = TypeOf<typeof packPreviewRequest>;

/** Something that would be shown to a model. */
const packItemView = z.object({
  kind: text,
  id: text,
  tokens: number,
  score: number,
  text,
  /** Given up last. */
  pinned: z.literal(true).exactOptional(),
  /** Shown as information that is never an instruction. */
  untrusted: z.literal(true).exactOptional(),
  /** So many characters would be left out. */
  cut: number.exactOptional(),
});
export type PackItemView = TypeOf<typeof packItemView>;

/** Something that would not be shown, and why. */
const droppedItemView = z.object({
  kind: text,
  id: text,
  tokens: number,
  score: number,
  why: z.enum(['cap', 'limit', 'duplicate', 'empty', 'gone']),
});
export type DroppedItemView = TypeOf<typeof droppedItemView>;

const packAnswer = z.object({
  items: list(packItemView),
  dropped: list(droppedItemView),
  tokens: number,
  cap: number,
  /** Of what a model would read. */
  digest: text,
  /** Where something could not be asked for. */
  faults: list(z.object({ source: text, what: text })),
});
export type PackAnswer = TypeOf<typeof packAnswer>;

/** What can be asked about context packs. */
export interface MemoryPackApi {
  /** What a run for this goal would be given now. Sends nothing and records nothing. */
  preview(request: PackPreviewRequest): Promise<PackAnswer>;
}

export const memoryPackSchemas: SchemasOf<MemoryPackApi> = { preview: [[packPreviewRequest], packAnswer] };
