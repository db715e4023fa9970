import * as z from 'zod';
import { epochMs, flag, json, list, number, record, type TypeOf, text } from './schemas.ts';

/** A start with the same key and the same request gets the same run. */
export const startKey = text.min(1).max(255).exactOptional();

export const artifactView = z.object({
  digest: text,
  bytes: number,
  mediaType: text,
  name: text.exactOptional(),
});
export type ArtifactView = TypeOf<typeof artifactView>;

/** The part of a request to a person that tells what it is about. */
const requestView = {
  kind: z.enum(['tool', 'question', 'unknown_effect']),
  tool: text.exactOptional(),
  arguments: json.exactOptional(),
  argumentsHash: text.exactOptional(),
  /** What the call changes, in one line. */
  effect: text.exactOptional(),
  /** read, write_local or external_mutation. */
  sideEffect: text.exactOptional(),
  risk: text.exactOptional(),
  why: text.exactOptional(),
  /** The policy rule that asks. */
  rule: text.exactOptional(),
  question: text.exactOptional(),
  options: list(text).exactOptional(),
  /** Facts about the call: the program and the files that it uses, or what is known about an unknown outcome. */
  known: list(text).exactOptional(),
  /** What each possible answer does. */
  answers: record(text).exactOptional(),
  /** Why the approval cannot be remembered. */
  notRemembered: text.exactOptional(),
  expiresAt: epochMs,
};

/** A request to a person: to approve a call, to answer a question, or to say what an interrupted call did. */
export const approvalView = z.object({
  id: text,
  run: text,
  /** The root of the run's tree. */
  root: text.exactOptional(),
  ...requestView,
  step: number.exactOptional(),
  destructive: flag.exactOptional(),
  /** Why the run wants the call. */
  rationale: text.exactOptional(),
  requestedAt: epochMs,
  status: text,
  decidedBy: text.exactOptional(),
  decidedAt: epochMs.exactOptional(),
  /** Why a person denied it. */
  reason: text.exactOptional(),
  /** The requested arguments, if a person approved others: `arguments` are then the approved ones. */
  requestedArguments: json.exactOptional(),
  answer: text.exactOptional(),
  /** For a pending call: what a person needs to know to decide, as of now. */
  now: z
    .object({
      /** Which rule asks and why, in one sentence. */
      because: text,
      /** `none` if the program would run without a sandbox. */
      sandbox: text.exactOptional(),
      /** True if `oka runs undo` can restore what the call changes. */
      canUndo: flag,
      /** How the call would change the file that is there, as a unified diff. */
      diff: text.exactOptional(),
    })
    .exactOptional(),
});
export type ApprovalView = TypeOf<typeof approvalView>;

/** A reason why a descendant of a run waits. */
const runBlocker = z.object({
  run: text,
  what: text,
  detail: text,
  next: text,
  until: epochMs.exactOptional(),
  approval: text.exactOptional(),
  /** What a person is asked. */
  request: z.object(requestView).exactOptional(),
  /** How many descendants wait for the same, if more than one. */
  runs: number.exactOptional(),
});
export type RunBlocker = TypeOf<typeof runBlocker>;
const outcomeKind = z.enum(['checked', 'partial', 'unproven']);

/** A run. Fields may be added, never removed. */
export const runView = z.object({
  id: text,
  kind: text,
  /** `interrupted`: its process has exited, and no other one has continued it yet. */
  status: z.enum([
    ...(['pending', 'running', 'interrupted', 'waiting', 'paused'] as const),
    ...(['completed', 'failed', 'cancelled'] as const),
  ]),
  state: text,
  goal: text.exactOptional(),
  graph: text.exactOptional(),
  /** The version that the run is pinned to. */
  graphHash: text,
  parent: text.exactOptional(),
  resumedFrom: text.exactOptional(),
  forkedFrom: z.object({ run: text, step: number }).exactOptional(),
  startedAt: epochMs,
  endedAt: epochMs.exactOptional(),
  budgets: z.object({ limits: record(number), used: record(number) }),
  /** Those of its tree, and of the earlier attempts. */
  artifacts: list(artifactView),
  /** The failed runs that it continues, the newest first. */
  attempts: list(text).exactOptional(),
  /** Why it waits, and the command that continues it. For a run that waits for children: the most urgent blocker. */
  waitingFor: z
    .object({
      what: text,
      detail: text,
      next: text,
      /** When it continues by itself, or when the request to a person expires. */
      until: epochMs.exactOptional(),
      approval: text.exactOptional(),
      /** The descendant that waits. */
      run: text.exactOptional(),
      /** What a person is asked. */
      request: z.object(requestView).exactOptional(),
    })
    .exactOptional(),
  /** What its descendants wait for, the most urgent first. */
  blockers: list(runBlocker).exactOptional(),
  failure: z.object({ code: text, message: text }).exactOptional(),
  /** How certain it is that a completed run did what it was asked. */
  outcome: outcomeKind.exactOptional(),
  /** What was checked, what is missing, or why it is not proven. */
  because: list(text).exactOptional(),
  /** The configured model that could not be used; the goal was done by rules instead. */
  lostModel: z.object({ model: text, code: text, message: text }).exactOptional(),
  /** The run, its children or its earlier attempts made changes that can be undone. Only where one run is shown. */
  undoable: z.literal(true).exactOptional(),
  /** The run was only simulated: it changed nothing and cannot be continued. */
  simulated: z.literal(true).exactOptional(),
  /** False if its process has exited. */
  ownerAlive: flag.exactOptional(),
});
export type RunView = TypeOf<typeof runView>;

/** An effect that a real run would have. */
const effectView = z.object({
  /** program, request, file, state, memory, message, schedule, context, install or tool. */
  kind: text,
  what: text,
  run: text,
  step: number,
  tool: text,
  input: json,
  argv: list(text).exactOptional(),
  /** Relative to the workspace. */
  cwd: text.exactOptional(),
  method: text.exactOptional(),
  url: text.exactOptional(),
  path: text.exactOptional(),
  /** The policy rule by which a real run asks a person first. */
  asks: text.exactOptional(),
  /** The call was not made; later steps saw a placeholder for its result. */
  withheld: z.literal(true).exactOptional(),
});
export type EffectView = TypeOf<typeof effectView>;

/** What a simulation reports about its tree of runs. */
export const simulationView = {
  /** The file changes that a simulation would have made, over all its steps. */
  wouldChange: list(
    z.object({
      path: text,
      change: text,
      bytes: number.exactOptional(),
      bytesBefore: number.exactOptional(),
      folder: z.literal(true).exactOptional(),
      /** The unified diff; missing if the content is not text. */
      diff: text.exactOptional(),
    }),
  ).exactOptional(),
  /** The effects of each call, also of child runs, in order. */
  effects: list(effectView).exactOptional(),
  /** The calls that a real run could not make, and why. They have no effect. */
  wouldFail: list(
    effectView.omit({ asks: true, withheld: true }).extend({
      outcome: z.enum(['refused', 'failed']),
      why: text,
    }),
  ).exactOptional(),
  /** What limits the simulation, such as a step that it could not pass. */
  simulationNotes: list(text).exactOptional(),
};
export type SimulationView = TypeOf<z.ZodObject<typeof simulationView>>;

export const runAnswer = z.object({ run: runView, output: json, ...simulationView });
export type RunAnswer = TypeOf<typeof runAnswer>;

export const runListItem = z.object({
  id: text,
  kind: text,
  status: runView.shape.status,
  /** What it or its most urgent descendant waits for. */
  waitingFor: z
    .object({ what: text, run: text.exactOptional(), until: epochMs.exactOptional() })
    .exactOptional(),
  goal: text.exactOptional(),
  parent: text.exactOptional(),
  resumedFrom: text.exactOptional(),
  startedAt: epochMs,
  endedAt: epochMs.exactOptional(),
  failureCode: text.exactOptional(),
  /** Of a completed run. */
  outcome: outcomeKind.exactOptional(),
  /** What it has cost, a root with its whole tree. Only on pages, and missing if nothing was spent. */
  costUsd: number.exactOptional(),
  simulated: z.literal(true).exactOptional(),
  ownerAlive: flag.exactOptional(),
});
export type RunListItem = TypeOf<typeof runListItem>;

/** An event of the ledger, as `tail` and `export` return it. */
export const eventView = z.object({
  seq: number,
  stream: text,
  index: number,
  type: text,
  at: epochMs,
  actor: text,
  data: json,
  body: json.exactOptional(),
  erased: z.literal(true).exactOptional(),
  chain: text,
  /** What the event says about recovery from failures, one line each. */
  recoveries: list(z.object({ kind: text, what: text })).exactOptional(),
});
export type EventView = TypeOf<typeof eventView>;

/** What a run does right now. Not recorded, and incomplete on purpose: it is for people who wait. */
export type RunActivity =
  /** It asks a model. */
  | { readonly kind: 'model'; readonly run: string; readonly model: string }
  /** Its program has printed this line. */
  | { readonly kind: 'output'; readonly run: string; readonly text: string };

/** How a caller follows a run that it drives. */
export interface RunListener {
  /** Aborting releases the run at its next step. It can be resumed. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: EventView) => void;
  /** Called with the text of a model as it streams. */
  readonly onText?: (text: string) => void;
  readonly onActivity?: (activity: RunActivity) => void;
}
