import type { EpochMs, Json } from '../kernel/index.ts';
import type { WorkerOutcome } from './daemon-api.ts';
import type { EventView, RunAnswer, RunListItem, RunView } from './run-views.ts';

export type GraphMode = 'strict' | 'bounded' | 'flex';
export type PictureFormat = 'mermaid' | 'dot' | 'ascii' | 'svg';

export interface DiagnosticView {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly severity: 'error' | 'warning';
}

export interface ValidateAnswer {
  readonly valid: boolean;
  readonly hash?: string;
  readonly diagnostics: readonly DiagnosticView[];
}

/** A graph that the workspace keeps. */
export interface GraphListItem {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly nodes: number;
  readonly mode: string;
  /** Why the file is no graph, where it is none. */
  readonly problem?: string;
}

export interface ShowGraphAnswer {
  readonly path: string;
  readonly definition: Json;
  readonly valid: boolean;
  readonly hash?: string;
  readonly diagnostics: readonly DiagnosticView[];
}

export interface RunGraphRequest {
  /** A path or the id of a graph of the workspace. */
  readonly graph: string;
  readonly input: Json;
  readonly vars: Readonly<Record<string, Json>>;
  readonly mode?: GraphMode;
  readonly simulate: boolean;
  readonly budgets: Readonly<Record<string, number>>;
  readonly patienceMs: number;
  /** Aborted: the run is let go at its next boundary, and can be resumed. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: EventView) => void;
}

export interface PatchAnswer {
  readonly path: string;
  readonly version: string;
  readonly hash: string;
  readonly diff: readonly string[];
  /** Where the version before was put. */
  readonly kept: string;
  readonly diagnostics: readonly DiagnosticView[];
}

export interface BuildAnswer {
  readonly path?: string;
  readonly definition: Json;
  readonly choices: readonly {
    readonly step: string;
    readonly node_id: string;
    readonly tool?: string;
    readonly why: string;
  }[];
  /** When the intent names a time, the schedule that it means. */
  readonly schedule?: { readonly cron: string; readonly why: string };
  readonly attempts: number;
}

export interface StateEntry {
  readonly key: string;
  readonly value: Json;
  readonly at: EpochMs;
  readonly run: string;
}

/** A point that a run can go on from. */
export interface CheckpointView {
  readonly step: number;
  readonly node: string;
  readonly at: EpochMs;
  readonly status: 'ok' | 'failed' | 'waiting';
  readonly last?: Json;
  readonly failure?: { readonly code: string; readonly message: string };
}

export interface ScheduleRequest {
  readonly graph: string;
  readonly cron?: string;
  readonly zone?: string;
  /** Fires when this part of the workspace changes, instead of at times. */
  readonly onChange?: string;
  readonly input?: Json;
  readonly misfire?: 'skip' | 'one' | 'all';
  readonly overlap?: 'skip' | 'queue' | 'allow';
  readonly dst?: 'run_after' | 'skip';
  readonly by: string;
}

export interface ScheduleItem {
  readonly id: string;
  readonly graph: string;
  readonly cron?: string;
  readonly zone?: string;
  readonly onChange?: string;
  readonly enabled: boolean;
  readonly next: readonly EpochMs[];
  readonly misfire: string;
  readonly overlap: string;
  readonly dst?: string;
  readonly lastFiredAt?: EpochMs;
  readonly lastRun?: string;
  /** The newest planned times that started no run, and why. */
  readonly lastSkipped?: SkippedItem;
  /** Why it can no longer fire, when what is stored cannot be read on this machine. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Planned times that were skipped together. */
export interface SkippedItem {
  /** The first and the last of them. */
  readonly plannedAt: EpochMs;
  readonly until: EpochMs;
  readonly count: number;
  /** True when there were more than were counted. */
  readonly more?: true;
  /** `misfire`, `overlap`, `dst`, `disabled`, `deleted`, `input_erased`, `failed` or `clock`. */
  readonly why: string;
  readonly decidedAt: EpochMs;
  /** What kept the run from being started, where that is why. */
  readonly failure?: { readonly code: string; readonly message?: string };
}

/** A process that works for a workspace in the background. */
export interface BackgroundProcess {
  readonly pid: number;
  /** `pid@host#start` */
  readonly owner: string;
  /** Since when it is ready, and where its output goes; missing while it starts. */
  readonly startedAt?: EpochMs;
  readonly log?: string;
}

export interface FiredItem {
  readonly schedule: string;
  readonly firing: string;
  readonly run: string;
}

/** What can be asked about graphs. */
export interface GraphApi {
  schema(): Promise<Json>;
  list(): Promise<readonly GraphListItem[]>;
  validate(graph: string, mode?: GraphMode): Promise<ValidateAnswer>;
  show(graph: string): Promise<ShowGraphAnswer>;
  /** A picture; with `run`, of the graph that the run is pinned to, with what became of each node. */
  render(
    graph: string | undefined,
    options: { readonly format: PictureFormat; readonly run?: string; readonly plain?: boolean },
  ): Promise<string>;
  patch(graph: string, node: string, field: string, value: Json): Promise<PatchAnswer>;
  build(intent: string, options: { readonly id?: string; readonly dryRun: boolean }): Promise<BuildAnswer>;
  /** A graph made of what a finished run did. */
  fromRun(run: string, options: { readonly id?: string; readonly dryRun: boolean }): Promise<BuildAnswer>;
  run(request: RunGraphRequest): Promise<RunAnswer>;
  /** A new run with the recorded input on the graph that the old one was pinned to. */
  replay(
    run: string,
    options: Pick<RunGraphRequest, 'patienceMs' | 'signal' | 'onEvent'>,
  ): Promise<RunAnswer>;
  runs(graph: string, limit: number, full: boolean): Promise<readonly (RunListItem | RunView)[]>;
  /** What differs between the graph that a run is pinned to and the one that stands in the workspace now. */
  repinDifferences(run: string): Promise<readonly string[]>;
  readonly state: {
    list(graph: string): Promise<readonly StateEntry[]>;
    get(graph: string, key: string): Promise<StateEntry | undefined>;
    history(graph: string, key: string, limit: number): Promise<readonly StateEntry[]>;
    checkpoints(run: string): Promise<readonly CheckpointView[]>;
  };
  readonly schedules: {
    add(request: ScheduleRequest): Promise<ScheduleItem>;
    list(): Promise<readonly ScheduleItem[]>;
    enable(id: string, by: string): Promise<ScheduleItem>;
    disable(id: string, by: string): Promise<ScheduleItem>;
    delete(id: string, by: string): Promise<void>;
    /** Fires once now and works on the run. */
    trigger(id: string, by: string, patienceMs: number): Promise<RunAnswer>;
    /** Fires what is due and works on what was fired. */
    tick(options: { readonly drive: boolean }): Promise<{
      readonly fired: readonly FiredItem[];
      readonly failures: readonly { readonly schedule: string; readonly message: string }[];
    }>;
    /** The process that fires and works now, if one does. */
    process(): Promise<BackgroundProcess | undefined>;
    /** Fires and works until told to stop. */
    loop(
      signal: AbortSignal,
      onFired: (item: FiredItem) => void,
      onOutcome?: (outcome: WorkerOutcome) => void,
    ): Promise<void>;
  };
}
