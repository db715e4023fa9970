// Owns: the state of a run. Does not own: how events change it (fold-run.ts).
import type { Digest, Failure, Json, JsonObject } from '../kernel/index.ts';
import type { Binding } from './binding.ts';
import type { BudgetLimits, BudgetName, Spend } from './budgets.ts';
import type {
  ArtifactRef,
  CallTool,
  ChildErrorPolicy,
  Evidence,
  Lineage,
  OpenIntent,
  Outcome,
  Pins,
  RunId,
  RunStatus,
} from './types.ts';

export type Waiting =
  | {
      readonly for: 'approval';
      readonly id: string;
      readonly call: CallTool;
      readonly argumentsHash: string;
      readonly expiresAt: number;
      readonly why?: string;
      readonly rule?: string;
      readonly risk?: string;
      readonly sideEffect?: string;
      readonly effect?: string;
      readonly binding?: Binding;
      /** The facts about the call that a person sees. */
      readonly known?: readonly string[];
    }
  | {
      readonly for: 'answer';
      readonly about: 'question' | 'unknown_effect';
      readonly id: string;
      readonly question: string;
      readonly options?: readonly string[];
      readonly expiresAt: number;
      /** The call with the unknown outcome, and what is known about it. */
      readonly tool?: string;
      readonly risk?: string;
      readonly sideEffect?: string;
      readonly arguments?: Json;
      readonly effect?: string;
      readonly known?: readonly string[];
      readonly answers?: Readonly<Record<string, string>>;
    }
  | {
      readonly for: 'budget';
      readonly budget: BudgetName;
      readonly needed: number;
      /** What was left of it. Unknown in a snapshot of an earlier version. */
      readonly left?: number;
      /** The shared pool or the state whose limit it is, if it is not the run's own. */
      readonly pool?: string;
    }
  | {
      readonly for: 'time';
      readonly at: number;
      /** Why the model is not available, if the run waits for one that is rate limited or overloaded. */
      readonly busy?: string;
    }
  | {
      readonly for: 'outcome';
      readonly step: number;
      readonly tool: string;
      readonly input: Json;
      readonly to?: string;
      readonly pending: PendingOutcome;
    };

export type PendingOutcome =
  | { readonly kind: 'timer'; readonly at: number }
  | { readonly kind: 'event'; readonly event: string; readonly at?: number }
  | {
      readonly kind: 'children';
      readonly children: readonly string[];
      readonly concurrency?: number;
      readonly onError: ChildErrorPolicy;
      readonly single?: true;
      readonly ended: Record<string, ChildEnd>;
    };

export interface ChildEnd {
  readonly status: RunStatus;
  readonly output?: Json | undefined;
  readonly failure?: Failure | undefined;
}

export interface RunState {
  readonly id: RunId;
  readonly kind: string;
  goal: string;
  readonly lineage: Lineage;
  pins: Pins;
  readonly startedAt: number;
  limits: BudgetLimits;
  /** Runs of one group share pools, such as those of a conversation. */
  readonly group?: string | undefined;
  vars: JsonObject;
  /** The index of the last event folded in. */
  index: number;
  lastAt: number;
  state: string;
  /** The number of the next step. */
  step: number;
  readonly evidence: Evidence[];
  readonly used: { [name in BudgetName]?: number };
  /** The part of `used` that children spent. */
  readonly childrenUsed: { [name in BudgetName]?: number };
  /** What the model calls of this step cost at most, until their cost is recorded. */
  reserved?: Spend | undefined;
  /** The visit to the current state: what it spent, where its evidence starts, the index of the previous result. */
  stay: { steps: number; tool_calls: number; since: number; last: number };
  /** How often each state was entered. */
  readonly visits: Record<string, number>;
  /** The evidence index of the result of each state that was left. */
  readonly latest: Record<string, number>;
  /** The subject of the run, such as the ID of an automation. */
  readonly subject: string | undefined;
  /** Identifies what was asked for, if the start had a key. */
  readonly asked?: Digest | undefined;
  readonly artifacts: ArtifactRef[];
  readonly signals: { readonly event: string; readonly payload: Json }[];
  owner: string | undefined;
  epoch: number;
  /** How often a process that drove it ended within this step. */
  crashes?: { readonly step: number; readonly count: number };
  /** Whether work has started; recall runs only before that. */
  begun: boolean;
  activeMs: number;
  claimedAt: number | undefined;
  paused: boolean;
  pauseRequestedBy: string | undefined;
  cancelRequested: { readonly by: string; readonly reason: string } | undefined;
  intent: OpenIntent | undefined;
  waiting: Waiting | undefined;
  /** How often the model of a step was busy. */
  busy?: { readonly step: number; readonly attempts: number };
  /** A call that a person approved and that has not run yet. */
  approved:
    | {
        readonly id: string;
        readonly call: CallTool;
        readonly argumentsHash: string;
        readonly binding?: Binding;
      }
    | undefined;
  denied:
    | {
        readonly id: string;
        readonly code: 'engine.approval_denied' | 'engine.approval_expired';
        /** The requested call, if it was one. */
        readonly call?: CallTool;
        /** Why a person denied it. */
        readonly reason?: string;
      }
    | undefined;
  ended: { readonly status: 'completed' | 'failed' | 'cancelled'; readonly at: number } | undefined;
  output: Json | undefined;
  /** How certain it is that it did what it was asked; set when it has completed. */
  outcome?: Outcome;
  failure: Failure | undefined;
  /** How often in a row the last call had the same input and the same result. */
  repeats: number;
  /** The run has read untrusted content; from then on external changes need approval. */
  untrusted: boolean;
  /** The hosts that people have named for the run: who started it, and who answered its questions. */
  namedHosts?: readonly string[];
  undone: boolean;
}

export function statusOf(run: RunState): RunStatus {
  if (run.ended) return run.ended.status;
  if (run.paused) return 'paused';
  if (run.waiting) return 'waiting';
  return run.owner === undefined ? 'pending' : 'running';
}

/** The agent that the variables of a run name. */
export function agentOf(vars: JsonObject | undefined): string | undefined {
  const agent = vars?.['agent'];
  return typeof agent === 'string' ? agent : undefined;
}

/** The newest evidence that does not come from a model. */
export function lastFact({ evidence }: Pick<RunState, 'evidence'>): Evidence | undefined {
  let place = evidence.length - 1;
  while (evidence[place]?.source === 'model') place -= 1;
  return evidence[place];
}

/**
 * True if nobody waits for the run: a schedule, a change of files or a conversation started it. The origin of such a run is what
 * started it, `schedule@time` or a turn, and its children inherit both.
 */
export function isUnattended({ group, lineage }: Pick<RunState, 'group' | 'lineage'>): boolean {
  return group !== undefined || lineage.origin.includes('@');
}
