import * as z from 'zod';
import { epochMs, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** `count` of `n`; the rate is null if `n` is 0. */
const shareView = z.object({ rate: number.nullable(), count: number, n: number });
export type ShareView = TypeOf<typeof shareView>;

/** Figures of a period. Work is a goal or a graph with all runs that continue it; it counts where it started. */
const figuresView = z.object({
  started: number,
  open: number,
  /** Finished work that was checked. */
  completion: shareView.extend({
    /** Finished work that is done in part. */
    partial: number,
    /** … and whose result is not proven. */
    unproven: number,
  }),
  /** Goals with a plan that the critic rejected, of the goals that were split into tasks. */
  rework: shareView.extend({ rejections: number }),
  /** Of completed work; null if there is none. */
  timeToCompletion: z.object({
    n: number,
    medianMs: number.nullable(),
    /** Without the time spent waiting for the user. */
    medianWithoutWaitingMs: number.nullable(),
  }),
  /** Work that users corrected, of all started work. */
  corrections: shareView.extend({ edits: number, undos: number, corrections: number }),
  /** The size of context packs in tokens; null before the first one. */
  contextPack: z.object({ n: number, medianTokens: number.nullable() }),
  cost: z.object({
    usd: number,
    /** The part of `usd` that follows from assumed prices. */
    assumedUsd: number,
    modelCalls: number,
    inputTokens: number,
    outputTokens: number,
    /** Calls of earlier versions with unknown price; not included in `usd`. */
    unpriced: number,
  }),
});
export type FiguresView = TypeOf<typeof figuresView>;

/** The figures since a time, and of each UTC day, newest first. */
const metricsAnswer = z.object({
  since: epochMs,
  whole: figuresView,
  /**
   * Packs compared with the one before for the same goal: the share of items that stayed, and the change of the size.
   * Null if no goal was given twice.
   */
  packStability: z.object({ n: number, medianKept: number.nullable(), medianSizeChange: number.nullable() }),
  memory: z.object({
    /** Learned facts that were rejected, superseded or never used, of all learned since then. */
    junk: shareView.extend({ rejected: number, superseded: number, unused: number }),
    /** The completion rate of finished work that used facts minus that of work without; null with too little data. */
    lift: z.object({
      points: number.nullable(),
      /** The work that each side needs at least. */
      needed: number,
      withFacts: shareView,
      without: shareView,
    }),
  }),
  days: list(figuresView.extend({ day: text })),
});
export type MetricsAnswer = TypeOf<typeof metricsAnswer>;

const figuresRequest = z.object({ since: epochMs.exactOptional(), backMs: number.exactOptional() });

/** Metrics, computed from the ledger. */
export interface MetricsApi {
  /** Figures of the work started since a time, or in the last `backMs`. Default: all work. */
  figures(request: TypeOf<typeof figuresRequest>): Promise<MetricsAnswer>;
}

export const metricsSchemas: SchemasOf<MetricsApi> = { figures: [[figuresRequest], metricsAnswer] };
