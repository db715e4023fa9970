import * as z from 'zod';
import type { Diagnostic, GuaranteeMode, QuickFix, StateValue } from '../graph/index.ts';
import type { Json } from '../kernel/index.ts';
import type { FiredRun, SkippedFirings } from '../schedule/index.ts';
import type { WorkerOutcome } from './daemon-api.ts';
import {
  type RunAnswer,
  type RunListener,
  type RunListItem,
  type RunView,
  runAnswer,
  runListItem,
  runView,
  startKey,
} from './run-views.ts';
import {
  epochMs,
  failure,
  flag,
  json,
  list,
  live,
  nothing,
  number,
  record,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';

const guaranteeMode = schemaOf<GuaranteeMode>()(z.enum(['strict', 'bounded', 'flex']));

const pictureFormat = z.enum(['mermaid', 'dot', 'ascii', 'svg']);
export type PictureFormat = TypeOf<typeof pictureFormat>;

const diagnostic = schemaOf<Diagnostic>()(
  z.object({
    code: text,
    path: text,
    message: text,
    suggestion: text.exactOptional(),
    severity: z.enum(['error', 'warning']),
    line: number.exactOptional(),
    column: number.exactOptional(),
  }),
);

const validateAnswer = z.object({
  valid: flag,
  hash: text.exactOptional(),
  diagnostics: list(diagnostic),
});
export type ValidateAnswer = TypeOf<typeof validateAnswer>;

/** A graph of the workspace. */
const graphListItem = z.object({
  id: text,
  name: text,
  version: text,
  path: text,
  nodes: number,
  mode: text,
  /** Why the file is not a graph. */
  problem: text.exactOptional(),
});
export type GraphListItem = TypeOf<typeof graphListItem>;

const showGraphAnswer = validateAnswer.extend({
  path: text,
  definition: json,
  /** Identifies the content of the file. `save` replaces only this content. */
  revision: text,
});
export type ShowGraphAnswer = TypeOf<typeof showGraphAnswer>;

const runGraphRequest = z.object({
  /** A path or the id of a graph of the workspace. */
  graph: text,
  input: json,
  vars: record(json),
  mode: guaranteeMode.exactOptional(),
  simulate: flag,
  budgets: record(number),
  /** A program wrote the input and not a person, so it names no hosts. */
  byProgram: z.literal(true).exactOptional(),
  patienceMs: number,
  key: startKey,
});
export interface RunGraphRequest extends TypeOf<typeof runGraphRequest>, RunListener {}

const patchAnswer = z.object({
  path: text,
  version: text,
  hash: text,
  diff: list(text),
  /** The file of the previous version. */
  kept: text,
  diagnostics: list(diagnostic),
});
export type PatchAnswer = TypeOf<typeof patchAnswer>;

/** A change that removes a finding: the value to set at a JSON pointer. Without a value, the field is removed. */
const quickFix = schemaOf<QuickFix>()(z.object({ what: text, pointer: text, value: json.exactOptional() }));

const checkGraphRequest = z.object({ definition: json, mode: guaranteeMode.exactOptional() });
const checkGraphAnswer = validateAnswer.extend({
  diagnostics: list(diagnostic.extend({ fix: quickFix.exactOptional() })),
});
export type CheckGraphAnswer = TypeOf<typeof checkGraphAnswer>;

const saveGraphRequest = z.object({
  /** The id or the path of the file. A new id creates a file. */
  graph: text,
  definition: json,
  /** The revision that was edited. Missing for a new graph. */
  revision: text.exactOptional(),
});
export type SaveGraphRequest = TypeOf<typeof saveGraphRequest>;

const saveGraphAnswer = showGraphAnswer.extend({
  /** The differences from the previous version. */
  diff: list(text),
});
export type SaveGraphAnswer = TypeOf<typeof saveGraphAnswer>;

/** A version of a graph file. */
const graphVersion = z.object({
  revision: text,
  version: text,
  /** When the file was written. */
  at: epochMs,
  path: text,
  current: flag,
});
export type GraphVersion = TypeOf<typeof graphVersion>;
const graphVersionAnswer = graphVersion.extend({ definition: json });
export type GraphVersionAnswer = TypeOf<typeof graphVersionAnswer>;

/** An example graph that comes with the package. */
const galleryGraph = z.object({
  name: text,
  file: text,
  description: text,
  /** True if it asks a model. */
  model: flag,
  /** Other examples that it calls. They must be in the workspace too. */
  calls: list(text),
  /** True if it is only useful as a part of another example. */
  isPart: flag,
  definition: json,
});
export type GalleryGraph = TypeOf<typeof galleryGraph>;

const buildAnswer = z.object({
  path: text.exactOptional(),
  definition: json,
  choices: list(z.object({ step: text, node_id: text, tool: text.exactOptional(), why: text })),
  /** The schedule, if the intent names a time. */
  schedule: z.object({ cron: text, why: text }).exactOptional(),
  attempts: number,
});
export type BuildAnswer = TypeOf<typeof buildAnswer>;

const stateValue = schemaOf<StateValue>()(
  z.object({
    key: text,
    value: json,
    at: epochMs,
    run: text,
    /** The run that wrote it had read untrusted content. */
    untrusted: z.literal(true).exactOptional(),
  }),
);

/** A step that a run can be forked from. */
const checkpointView = z.object({
  step: number,
  node: text,
  at: epochMs,
  status: z.enum(['ok', 'failed', 'waiting']),
  last: json.exactOptional(),
  failure: failure.exactOptional(),
});
export type CheckpointView = TypeOf<typeof checkpointView>;

const scheduleRequest = z.object({
  graph: text,
  cron: text.exactOptional(),
  zone: text.exactOptional(),
  /** Fires when this part of the workspace changes. Replaces `cron`. */
  onChange: text.exactOptional(),
  input: json.exactOptional(),
  misfire: z.enum(['skip', 'one', 'all']).exactOptional(),
  overlap: z.enum(['skip', 'queue', 'allow']).exactOptional(),
  dst: z.enum(['run_after', 'skip']).exactOptional(),
  by: text,
});
export type ScheduleRequest = TypeOf<typeof scheduleRequest>;

const skippedFirings = schemaOf<SkippedFirings>()(
  z.object({
    plannedAt: epochMs,
    until: epochMs,
    count: number,
    more: z.literal(true).exactOptional(),
    why: z.enum(['misfire', 'overlap', 'dst', 'disabled', 'deleted', 'input_erased', 'failed', 'clock']),
    decidedAt: epochMs,
    failure: z.object({ code: text, message: text.exactOptional() }).exactOptional(),
  }),
);

const scheduleItem = z.object({
  id: text,
  graph: text,
  cron: text.exactOptional(),
  zone: text.exactOptional(),
  onChange: text.exactOptional(),
  enabled: flag,
  next: list(epochMs),
  misfire: text,
  overlap: text,
  dst: text.exactOptional(),
  lastFiredAt: epochMs.exactOptional(),
  input: json,
  inputErased: flag,
  queued: flag,
  addedAt: epochMs,
  addedBy: text,
  lastRun: text.exactOptional(),
  /** The newest planned times that started no run. */
  lastSkipped: skippedFirings.exactOptional(),
  /** Why it can no longer fire: this machine cannot read the stored schedule. */
  problem: failure.exactOptional(),
});
export type ScheduleItem = TypeOf<typeof scheduleItem>;

/** The decision about a firing, or about several that were skipped together. */
const firingItem = z.object({
  id: text,
  status: z.enum(['fired', 'skipped', 'queued']),
  /** Why it fired or did not. */
  why: z.enum(['due', 'late', 'manual', 'change', ...skippedFirings.shape.why.options]),
  plannedAt: epochMs,
  /** The last planned time, how many there are, and whether counting stopped early. */
  until: epochMs,
  count: number,
  more: z.literal(true).exactOptional(),
  decidedAt: epochMs,
  run: text.exactOptional(),
  failure: z.object({ code: text, message: text.exactOptional() }).exactOptional(),
});
export type FiringItem = TypeOf<typeof firingItem>;

const MAX_PREVIEWED = 3_000;

const previewScheduleRequest = z.object({
  cron: text,
  /** Default: UTC. */
  zone: text.exactOptional(),
  dst: scheduleRequest.shape.dst,
  /** Default: now. */
  after: epochMs.exactOptional(),
  until: epochMs.exactOptional(),
  limit: z.number().int().min(1).max(MAX_PREVIEWED),
});
export type PreviewScheduleRequest = TypeOf<typeof previewScheduleRequest>;

const previewScheduleAnswer = z.object({
  next: list(epochMs),
  /** There are more before `until`. */
  more: flag,
});
export type PreviewScheduleAnswer = TypeOf<typeof previewScheduleAnswer>;

const backgroundProcess = z.object({
  pid: number,
  /** `pid@host#start` */
  owner: text,
  /** Missing while it starts, like `log`. */
  startedAt: epochMs.exactOptional(),
  log: text.exactOptional(),
});
export type BackgroundProcess = TypeOf<typeof backgroundProcess>;

const firedItem = schemaOf<Pick<FiredRun, 'schedule' | 'firing' | 'run'>>()(
  z.object({ schedule: text, firing: text, run: text }),
);
export type FiredItem = TypeOf<typeof firedItem>;

const renderOptions = z.object({
  format: pictureFormat,
  run: text.exactOptional(),
  plain: flag.exactOptional(),
});

const buildOptions = z.object({ id: text.exactOptional(), dryRun: flag });

const fromRunOptions = buildOptions.extend({ keep: list(text).exactOptional() });

const tickOptions = z.object({ drive: flag });

/** Graphs, their state and their schedules. */
export interface GraphApi {
  schema(): Promise<Json>;
  list(): Promise<readonly GraphListItem[]>;
  /** The example graphs that come with the package. */
  gallery(): Promise<readonly GalleryGraph[]>;
  validate(graph: string, mode?: GuaranteeMode): Promise<ValidateAnswer>;
  show(graph: string): Promise<ShowGraphAnswer>;
  /** A picture. With `run`, of the graph that the run is pinned to, with the status of each node. */
  render(graph: string | undefined, options: TypeOf<typeof renderOptions>): Promise<string>;
  /** Validates a definition that is not in a file. */
  check(request: TypeOf<typeof checkGraphRequest>): Promise<CheckGraphAnswer>;
  /** Writes a graph file and keeps the previous version. Fails with `graph.changed` if the file is not at `revision`. */
  save(request: SaveGraphRequest): Promise<SaveGraphAnswer>;
  /** The versions of a graph file, the newest first. */
  versions(graph: string): Promise<readonly GraphVersion[]>;
  version(graph: string, revision: string): Promise<GraphVersionAnswer>;
  patch(graph: string, node: string, field: string, value: Json): Promise<PatchAnswer>;
  build(intent: string, options: TypeOf<typeof buildOptions>): Promise<BuildAnswer>;
  /** Builds a graph from the steps of a finished run. */
  fromRun(run: string, options: TypeOf<typeof fromRunOptions>): Promise<BuildAnswer>;
  run(request: RunGraphRequest): Promise<RunAnswer>;
  /** Starts a new run with the recorded input and the graph that the old run is pinned to. */
  replay(run: string, options: RunListener & Pick<RunGraphRequest, 'patienceMs' | 'key'>): Promise<RunAnswer>;
  runs(graph: string, limit: number, full: boolean): Promise<readonly (RunListItem | RunView)[]>;
  /** The differences between the graph that a run is pinned to and the current one. */
  repinDifferences(run: string): Promise<readonly string[]>;
  readonly state: {
    list(graph: string): Promise<readonly StateValue[]>;
    get(graph: string, key: string): Promise<StateValue | undefined>;
    history(graph: string, key: string, limit: number): Promise<readonly StateValue[]>;
    checkpoints(run: string): Promise<readonly CheckpointView[]>;
  };
  readonly schedules: {
    add(request: ScheduleRequest): Promise<ScheduleItem>;
    list(): Promise<readonly ScheduleItem[]>;
    /** The times at which a cron expression fires. Records nothing. */
    preview(request: PreviewScheduleRequest): Promise<PreviewScheduleAnswer>;
    /** What became of the planned times of a schedule, newest first. */
    firings(id: string, limit: number): Promise<readonly FiringItem[]>;
    enable(id: string, by: string): Promise<ScheduleItem>;
    disable(id: string, by: string): Promise<ScheduleItem>;
    delete(id: string, by: string): Promise<void>;
    /** Fires once now and drives the run. */
    trigger(id: string, by: string, patienceMs: number, key?: string): Promise<RunAnswer>;
    /** Fires due schedules and drives their runs. */
    tick(options: TypeOf<typeof tickOptions>): Promise<{
      readonly fired: readonly FiredItem[];
      readonly failures: readonly { readonly schedule: string; readonly message: string }[];
    }>;
    /** The process that runs schedules now, if any. */
    process(): Promise<BackgroundProcess | undefined>;
    /** Runs schedules until the signal aborts. */
    loop(
      signal: AbortSignal,
      onFired: (item: FiredItem) => void,
      onOutcome?: (outcome: WorkerOutcome) => void,
    ): Promise<void>;
  };
}

export const graphSchemas: SchemasOf<GraphApi> = {
  schema: [[], json],
  list: [[], list(graphListItem)],
  gallery: [[], list(galleryGraph)],
  validate: [[{ graph: text }, { mode: guaranteeMode.optional() }], validateAnswer],
  show: [[{ graph: text }], showGraphAnswer],
  render: [[{ graph: text.optional() }, { options: renderOptions }], text],
  check: [[checkGraphRequest], checkGraphAnswer],
  save: [[saveGraphRequest], saveGraphAnswer],
  versions: [[{ graph: text }], list(graphVersion)],
  version: [[{ graph: text }, { revision: text }], graphVersionAnswer],
  patch: [[{ graph: text }, { node: text }, { field: text }, { value: json }], patchAnswer],
  build: [[{ intent: text }, { options: buildOptions }], buildAnswer],
  fromRun: [[{ run: text }, { options: fromRunOptions }], buildAnswer],
  run: [[runGraphRequest], runAnswer],
  replay: [[{ run: text }, { options: runGraphRequest.pick({ patienceMs: true }) }], runAnswer],
  runs: [[{ graph: text }, { limit: number }, { full: flag }], list(z.union([runView, runListItem]))],
  repinDifferences: [[{ run: text }], list(text)],
  state: {
    list: [[{ graph: text }], list(stateValue)],
    get: [[{ graph: text }, { key: text }], stateValue.optional()],
    history: [[{ graph: text }, { key: text }, { limit: number }], list(stateValue)],
    checkpoints: [[{ run: text }], list(checkpointView)],
  },
  schedules: {
    add: [[scheduleRequest], scheduleItem],
    list: [[], list(scheduleItem)],
    preview: [[previewScheduleRequest], previewScheduleAnswer],
    firings: [[{ id: text }, { limit: number }], list(firingItem)],
    enable: [[{ id: text }, { by: text }], scheduleItem],
    disable: [[{ id: text }, { by: text }], scheduleItem],
    delete: [[{ id: text }, { by: text }], nothing],
    trigger: [[{ id: text }, { by: text }, { patienceMs: number }, { key: startKey.optional() }], runAnswer],
    tick: [
      [tickOptions],
      z.object({ fired: list(firedItem), failures: list(z.object({ schedule: text, message: text })) }),
    ],
    process: [[], backgroundProcess.optional()],
    loop: [[live, live, live], nothing],
  },
};
