import type { EpochMs, Json } from '../kernel/index.ts';

/** A run as every face shows it. Fields may be added; these stay. */
export interface RunView {
  readonly id: string;
  readonly kind: string;
  readonly status: 'pending' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled';
  readonly state: string;
  readonly goal?: string;
  /** The id of the graph that it is a run of. */
  readonly graph?: string;
  /** What it is pinned to. */
  readonly graphHash: string;
  readonly parent?: string;
  readonly resumedFrom?: string;
  readonly forkedFrom?: { readonly run: string; readonly step: number };
  readonly startedAt: EpochMs;
  readonly endedAt?: EpochMs;
  readonly budgets: {
    readonly limits: Readonly<Record<string, number>>;
    readonly used: Readonly<Record<string, number>>;
  };
  readonly artifacts: readonly ArtifactView[];
  /** Why it does not go on by itself, and what would make it. */
  readonly waitingFor?: {
    readonly what: string;
    readonly detail: string;
    readonly next: string;
    readonly approval?: string;
  };
  readonly failure?: { readonly code: string; readonly message: string };
  /** False when the process that worked on it is gone: it can be resumed at once. */
  readonly ownerAlive?: boolean;
}

export interface ArtifactView {
  readonly digest: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly name?: string;
}

export interface RunAnswer {
  readonly run: RunView;
  readonly output: Json;
  /** What a simulation would have changed. */
  readonly wouldChange?: readonly {
    readonly path: string;
    readonly change: string;
    readonly bytes?: number;
  }[];
}

export interface RunListItem {
  readonly id: string;
  readonly kind: string;
  readonly status: RunView['status'];
  readonly goal?: string;
  readonly parent?: string;
  readonly resumedFrom?: string;
  readonly startedAt: EpochMs;
  readonly endedAt?: EpochMs;
  readonly failureCode?: string;
  readonly ownerAlive?: boolean;
}

/** One event of the ledger, as `tail` and `export` give it. */
export interface EventView {
  readonly seq: number;
  readonly stream: string;
  readonly index: number;
  readonly type: string;
  readonly at: EpochMs;
  readonly actor: string;
  readonly data: Json;
  readonly body?: Json;
  readonly erased?: true;
  readonly chain: string;
}
