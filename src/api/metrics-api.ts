import type { EpochMs } from '../kernel/index.ts';

/** A share, with what it is a share of; the rate is null where that is nothing. */
export interface ShareView {
  readonly rate: number | null;
  readonly count: number;
  readonly n: number;
}

/** How work went in a time. */
export interface FiguresView {
  readonly started: number;
  readonly open: number;
  readonly completion: ShareView;
  readonly rework: ShareView & { readonly rejections: number };
  readonly timeToCompletion: {
    readonly n: number;
    readonly medianMs: number | null;
    readonly medianWithoutWaitingMs: number | null;
  };
  readonly corrections: ShareView & {
    readonly edits: number;
    readonly undos: number;
    readonly corrections: number;
  };
  readonly contextPack: {
    readonly n: number;
    readonly medianTokens: number | null;
    readonly spread: number | null;
  };
  readonly cost: {
    readonly usd: number;
    readonly modelCalls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly unpriced: number;
  };
}

/** The figures since a moment, and of each day, newest first, in UTC. */
export interface MetricsAnswer {
  readonly since: EpochMs;
  readonly whole: FiguresView;
  readonly days: readonly (FiguresView & { readonly day: string })[];
}

/** How Oka's work goes, counted from the ledger. */
export interface MetricsApi {
  /** Of all work that was begun since a moment, or in so many milliseconds up to now; of everything unless told. */
  figures(request: { readonly since?: EpochMs; readonly backMs?: number }): Promise<MetricsAnswer>;
}
