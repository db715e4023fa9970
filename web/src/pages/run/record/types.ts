// What the page knows about a run: everything is folded from the events of the run and its descendants.

import type { Answer } from '../../../api/query.ts';

export type RunEvent = Answer<'/v1/runs/{run}/events'>['items'][number];
export type RunStatus = Answer<'/v1/runs/{run}'>['run']['status'];
export type Fields = Readonly<Record<string, unknown>>;
export type Spend = Readonly<Record<string, number>>;

export type SegmentKind = 'model' | 'tool' | 'plan' | 'retry' | 'wait';

/** A part of the time that a step took. */
export interface Segment {
  kind: SegmentKind;
  readonly from: number;
  /** Missing while it lasts. */
  to?: number;
  /** What a wait is for, such as "approval". */
  readonly what?: string;
}

export type StepStatus = 'running' | 'waiting' | 'ok' | 'failed' | 'refused' | 'cancelled';

/** A step with its retries and waits. The request for an approval and the approved call are one step here. */
export interface Step {
  readonly key: string;
  readonly run: string;
  /** The number of the first decision that belongs to it, and of the last. */
  readonly step: number;
  last: number;
  state: string;
  /** call_tool, transition, ask_human, finish, fail, or wait while no decision is made. */
  decision: string;
  tool?: string;
  status: StepStatus;
  readonly startedAt: number;
  endedAt?: number;
  readonly segments: Segment[];
  readonly events: RunEvent[];
  readonly spend: Record<string, number>;
  readonly children: string[];
  attempts: number;
}

export interface RunRecord {
  readonly id: string;
  readonly kind: string;
  readonly goal: string;
  readonly vars: Fields;
  readonly parent?: string;
  readonly depth: number;
  readonly startedAt: number;
  readonly children: string[];
  readonly steps: Step[];
  readonly used: Record<string, number>;
  limits: Record<string, number>;
  status: RunStatus;
  state: string;
  endedAt?: number;
  readonly firstSeq: number;
  /** The newest event. */
  lastSeq: number;
  lastAt: number;
  isUndone: boolean;
  failure?: { readonly code: string; readonly message: string };
}

/** A run and its descendants, as of one event. */
export interface TreeRecord {
  readonly root: RunRecord;
  readonly runs: ReadonlyMap<string, RunRecord>;
  readonly events: readonly RunEvent[];
  /** When its newest event happened. */
  readonly at: number;
}

export const dataOf = (event: RunEvent): Fields => (event.data ?? {}) as Fields;
export const bodyOf = (event: RunEvent): Fields =>
  typeof event.body === 'object' && event.body !== null ? (event.body as Fields) : {};

export const isEnded = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';
