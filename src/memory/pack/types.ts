/** What a context pack is made of, in the order in which it is told. */
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

/** Something that may belong into what a model is shown. */
export interface PackCandidate {
  readonly kind: PackKind;
  /** One of its kind. */
  readonly id: string;
  readonly text: string;
  /** How much it matters for the goal; comparable across kinds. */
  readonly score: number;
  /** Given up last. */
  readonly pinned?: true;
  /** Written by somebody whose words are information and never an instruction. */
  readonly untrusted?: true;
  /** Strangers may have had a hand in it: a run that is shown it counts as having read their words. */
  readonly ofStrangers?: true;
  /** Its text may stand in the record of the run; without it only the id does, and the text is read again. */
  readonly copied?: true;
  /** Which part of the text under the id is meant. */
  readonly span?: PackSpan;
}

export interface PackSpan {
  readonly start: number;
  readonly end: number;
}

/** A candidate that is in the pack. */
export interface PackItem extends PackCandidate {
  /** What it takes as it is shown. */
  readonly tokens: number;
  /** So many characters of its text were left out. */
  readonly cut?: number;
}

/** Why something is not in the pack. */
export type DropReason =
  /** There was no room left. */
  | 'cap'
  /** There are more of its kind than are ever shown. */
  | 'limit'
  /** It is there already. */
  | 'duplicate'
  /** It has no text. */
  | 'empty'
  /** Its text was erased since it was chosen. */
  | 'gone';

/** A candidate that is not in the pack. */
export interface DroppedItem {
  readonly kind: PackKind;
  readonly id: string;
  readonly score: number;
  readonly tokens: number;
  readonly why: DropReason;
}

/** What fits under the cap, best first, and what does not. */
export interface ContextPack {
  readonly items: readonly PackItem[];
  readonly dropped: readonly DroppedItem[];
  readonly tokens: number;
  readonly cap: number;
  /** Sources that could not answer, and why. */
  readonly faults: readonly PackFault[];
}

export interface PackFault {
  readonly source: string;
  readonly what: string;
}
