export interface PackPreviewRequest {
  readonly goal: string;
  /** The most tokens; left out, what a run would get. */
  readonly cap?: number;
  /** Who would be at it; left out, the usual agent. */
  readonly agent?: string;
}

/** Something that would be shown to a model. */
export interface PackItemView {
  readonly kind: string;
  readonly id: string;
  readonly tokens: number;
  readonly score: number;
  readonly text: string;
  /** Given up last. */
  readonly pinned?: true;
  /** Shown as information that is never an instruction. */
  readonly untrusted?: true;
  /** So many characters would be left out. */
  readonly cut?: number;
}

/** Something that would not be shown, and why. */
export interface DroppedItemView {
  readonly kind: string;
  readonly id: string;
  readonly tokens: number;
  readonly score: number;
  readonly why: 'cap' | 'limit' | 'duplicate' | 'empty' | 'gone';
}

export interface PackAnswer {
  readonly items: readonly PackItemView[];
  readonly dropped: readonly DroppedItemView[];
  readonly tokens: number;
  readonly cap: number;
  /** Of what a model would read. */
  readonly digest: string;
  /** Where something could not be asked for. */
  readonly faults: readonly { readonly source: string; readonly what: string }[];
}

/** What can be asked about context packs. */
export interface MemoryPackApi {
  /** What a run for this goal would be given now. Sends nothing and records nothing. */
  preview(request: PackPreviewRequest): Promise<PackAnswer>;
}
