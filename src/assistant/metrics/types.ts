import type { EpochMs, Json, JsonObject } from '../../kernel/index.ts';

/** An event of a run that figures are made of. */
export interface Figure {
  readonly run: string;
  readonly type: string;
  readonly at: EpochMs;
  readonly data: JsonObject;
  /** What a model was shown, where one was asked. */
  readonly manifest?: Json;
}

/** Reads figures from the ledger, in its order. */
export interface RunFigures {
  /** From this moment on. */
  read(since: EpochMs): Iterable<Figure>;
}

/** A share, with what it is a share of; null where that is nothing. */
export interface Share {
  readonly rate: number | null;
  readonly count: number;
  readonly n: number;
}

/** How work went, in a time. Work is a goal or an automation with all runs that went on with it; it counts where it began. */
export interface Figures {
  readonly started: number;
  readonly open: number;
  /** Of the work that has ended. */
  readonly completion: Share;
  /** Goals with at least one plan that the critic rejected, of the goals that were split into tasks. */
  readonly rework: Share & { readonly rejections: number };
  /** Of the work that was completed, in milliseconds; null where there is none. */
  readonly timeToCompletion: {
    readonly n: number;
    readonly medianMs: number | null;
    /** Without the time in which it waited for a person. */
    readonly medianWithoutWaitingMs: number | null;
  };
  /** Work that people had to correct, of all that was started. */
  readonly corrections: Share & {
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

/** The figures of a whole time and of each day in it, newest first, in UTC. */
export interface Metrics {
  readonly since: EpochMs;
  readonly whole: Figures;
  readonly days: readonly (Figures & { readonly day: string })[];
}
