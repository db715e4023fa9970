import type { EpochMs, Json } from '../kernel/index.ts';

/** What the state tools need from outside; handed in as the capability `state`. */
export interface StateReader {
  get(graph: string, key: string): Promise<{ readonly value: Json } | undefined>;
  /** Runs of a graph, newest first. */
  priorRuns(request: {
    readonly graph: string;
    readonly except: string;
    readonly limit: number;
    readonly status?: string;
  }): Promise<readonly PriorRun[]>;
}

/** A run of the same graph, as a node sees it. */
interface PriorRun {
  readonly id: string;
  readonly status: string;
  readonly startedAt: EpochMs;
  readonly endedAt?: EpochMs;
  readonly failureCode?: string;
}
