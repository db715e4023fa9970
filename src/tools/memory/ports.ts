/** Stores and finds facts. Provided as the capability `memory`. */
export interface MemoryService {
  /**
   * Stores a fact, or affirms the one with the same text. `untrusted`: the run has read untrusted content, so the fact is
   * quarantined until a person confirms it.
   */
  remember(request: {
    readonly text: string;
    readonly namespace?: string;
    readonly importance?: number;
    readonly ttlMs?: number;
    /** A file or folder of the workspace: the fact turns stale when it changes. */
    readonly file?: string;
    readonly run: string;
    readonly untrusted?: boolean;
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
  /** The newest facts that hold now. */
  facts(limit: number): Promise<readonly Pick<RecalledHit, 'id' | 'text' | 'at' | 'state'>[]>;
  forget(id: string, run: string): Promise<void>;
}

interface RecalledHit {
  readonly kind: 'fact' | 'episode' | 'run';
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly at: number;
  /** In words, if the file that it rests on has changed or was not checked. */
  readonly state?: string;
  readonly source?: string;
  /** Stored by a run that had read untrusted content. */
  readonly untrusted?: true;
}
