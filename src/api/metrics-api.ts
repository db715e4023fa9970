import type { EpochMs } from '../kernel/index.ts';

/** A share, with what it is a share of; the rate is null where that is nothing. */
export interface ShareView {
  readonly rate: number | null;
  readonly count: number;
  readonly n: number;
}

/** How work went, in a time. Work is a goal or an automation with all runs that went on with it; it counts where it began. */
export interface FiguresView {
  readonly started: number;
  readonly open: number;
  /** Of the work that has ended. */
  readonly completion: ShareView;
  /** Goals with at least one plan that the critic rejected, of the goals that were split into tasks. */
  readonly rework: ShareView & { readonly rejections: number };
  /** Of the work that was completed; null where there is none. */
  readonly timeToCompletion: {
    readonly n: number;
    readonly medianMs: number | null;
    /** Without the time in which it waited for a person. */
    readonly medianWithoutWaitingMs: number | null;
  };
  /** Work that people had to correct, of all that was started. */
  readonly corrections: ShareView & {
    readonly edits: number;
    readonly undos: number;
    readonly corrections: number;
  };
  /** The size of context packs in tokens; null until a model was shown one. `spread` is (p90 − p10) / median. */
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
    /** Calls whose price nobody knows; they are not in `usd`. */
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
