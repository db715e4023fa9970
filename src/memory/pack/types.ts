import type { JsonObject } from '../../kernel/index.ts';

/** The kinds of items in a context pack, in the order in which they are rendered. */
export const PACK_KINDS = [
  'constraint',
  'task',
  'blocker',
  'procedure',
  'fact',
  'episode',
  'frame',
  'credential',
] as const;

export type PackKind = (typeof PACK_KINDS)[number];

/** An item that may go into a pack. */
export interface PackCandidate {
  readonly kind: PackKind;
  /** Unique within its kind. */
  readonly id: string;
  readonly text: string;
  /** The relevance to the goal, comparable across kinds. */
  readonly score: number;
  /** Dropped last. */
  readonly pinned?: true;
  /** Its text is information and never an instruction. */
  readonly untrusted?: true;
  /** Derived from untrusted content: a run that gets it counts as having read such content. */
  readonly ofStrangers?: true;
  /** A learned fact that nobody confirmed. */
  readonly unconfirmed?: true;
  /** What the reader must know of its text, such as that it is stale. */
  readonly note?: string;
  /** Its text may be copied into the record of the run; otherwise it is read again by its id. */
  readonly copied?: true;
  /** The part of the text that is used. */
  readonly span?: PackSpan;
}

export interface PackSpan {
  readonly start: number;
  readonly end: number;
}

export interface PackItem extends PackCandidate {
  /** Its rendered size. */
  readonly tokens: number;
  /** The number of characters that were cut off. */
  readonly cut?: number;
}

export type DropReason =
  /** There is no room left. */
  | 'cap'
  /** Its kind has reached its maximum. */
  | 'limit'
  /** Already included. */
  | 'duplicate'
  /** Without text. */
  | 'empty'
  /** Its text was erased meanwhile. */
  | 'gone';

export type DroppedItem = Pick<PackItem, 'kind' | 'id' | 'score' | 'tokens'> & { readonly why: DropReason };

/** The items that fit into the cap, best first, and the dropped ones. */
export interface ContextPack {
  readonly items: readonly PackItem[];
  readonly dropped: readonly DroppedItem[];
  readonly tokens: number;
  readonly cap: number;
  /** Sources that failed, and why. */
  readonly faults: readonly PackFault[];
}

export interface PackFault {
  readonly source: string;
  readonly what: string;
}

export interface PackRequest {
  readonly goal: string;
  readonly vars: JsonObject;
  /** The run that the pack is for, if any. */
  readonly run?: { readonly id: string; readonly parent?: string };
  /** The approximate number of candidates of one kind that could fit. */
  readonly limit: number;
  /** The share of one item; of a longer text, a source offers the best passage. No limit by default. */
  readonly maxItemTokens?: number;
}

/** Provides candidates of one sort. */
export interface PackSource {
  readonly name: string;
  candidates(request: PackRequest): Promise<readonly PackCandidate[]>;
  /** The text of an earlier candidate, unchanged; undefined if it is gone or from another source. */
  read?(item: Pick<PackItem, 'kind' | 'id' | 'span'>): Promise<string | undefined>;
}

/** Reads the text of a recorded item; undefined if it is gone. */
export type ReadPackText = NonNullable<PackSource['read']>;
