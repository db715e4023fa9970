import * as z from 'zod';
import { epochMs, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** A share, with what it is a share of; the rate is null where that is nothing. */
const shareView = z.object({ rate: number.nullable(), count: number, n: number });
export type ShareView = TypeOf<typeof shareView>;

/** How work went, in a time. Work is a goal or an automation with all runs that went on with it; it counts where it began. */
const figuresView = z.object({
  started: number,
  open: number,
  /** Of the work that has ended. */
  completion: shareView,
  /** Goals with at least one plan that the critic rejected, of the goals that were split into tasks. */
  rework: shareView.extend({ rejections: number }),
  /** Of the work that was completed; null where there is none. */
  timeToCompletion: z.object({
    n: number,
    medianMs: number.nullable(),
    /** Without the time in which it waited for a person. */
    medianWithoutWaitingMs: number.nullable(),
  }),
  /** Work that people had to correct, of all that was started. */
  corrections: shareView.extend({ edits: number, undos: number, corrections: number }),
  /** The size of context packs in tokens; null until a model was shown one. `spread` is (p90 − p10) / median. */
  contextPack: z.object({ n: number, medianTokens: number.nullable(), spread: number.nullable() }),
  cost: z.object({
    usd: number,
    modelCalls: number,
    inputTokens: number,
    outputTokens: number,
    /** Calls whose price nobody knows; they are not in `usd`. */
    unpriced: number,
  }),
});
export type FiguresView = TypeOf<typeof figuresView>;

/** The figures since a moment, and of each day, newest first, in UTC. */
const metricsAnswer = z.object({
  since: epochMs,
  whole: figuresView,
  days: list(figuresView.extend({ day: text })),
});
export type MetricsAnswer = TypeOf<typeof metricsAnswer>;

const figuresRequest = z.object({ since: epochMs.exactOptional(), backMs: number.exactOptional() });

/** How Oka's work goes, counted from the ledger. */
export interface MetricsApi {
  /** Of all work that was begun since a moment, or in so many milliseconds up to now; of everything unless told. */
  figures(request: TypeOf<typeof figuresRequest>): Promise<MetricsAnswer>;
}

export const metricsSchemas: SchemasOf<MetricsApi> = { figures: [[figuresRequest], metricsAnswer] };
