/** What the memory tools need from outside; handed in as the capability `memory`. */
export interface MemoryKeeper {
  /** Keeps a fact, or affirms the one with the same text; says whether the run has read what strangers wrote. */
  remember(request: {
    readonly text: string;
    readonly namespace?: string;
    readonly importance?: number;
    readonly ttlMs?: number;
    /** The run that remembers. */
    readonly run: string;
  }): Promise<{
    readonly id: string;
    readonly outcome: 'added' | 'affirmed' | 'known';
    readonly untrusted: boolean;
  }>;
  recall(request: {
    readonly query: string;
    readonly namespace?: string;
    readonly limit: number;
  }): Promise<{ readonly hits: readonly RecalledHit[]; readonly degraded: boolean }>;
  /** Erases a fact for good. */
  forget(id: string, run: string): Promise<void>;
}

/** Something that was recalled. */
interface RecalledHit {
  readonly kind: 'fact' | 'episode' | 'run';
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly at: number;
  readonly source?: string;
  /** It was remembered by a run that had read what strangers wrote. */
  readonly untrusted?: true;
}
