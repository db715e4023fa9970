import type { Digest, EpochMs, Json, JsonObject } from '../kernel/index.ts';
import type { Binding, BoundFile } from './binding.ts';
import type { RunState } from './run-state.ts';
import type { Capabilities, Risk, SideEffect, ToolFace } from './tool.ts';
import type { ArtifactRef, Awaitable, Evidence, Finish, Outcome, RunId, RunStatus } from './types.ts';

/** A row of the list of runs. */
export interface RunSummary {
  readonly id: RunId;
  readonly kind: string;
  readonly goal: string;
  readonly status: RunStatus;
  readonly parent?: RunId;
  readonly root: RunId;
  readonly resumedFrom?: RunId;
  /** The subject of the run, such as the ID of an automation. */
  readonly subject?: string;
  readonly owner?: string;
  readonly failureCode?: string;
  readonly startedAt: EpochMs;
  readonly endedAt?: EpochMs;
  /** How certain it is that it did what it was asked. */
  readonly outcome?: Outcome['is'];
  /** What it waits for, or waited for last. */
  readonly waitsFor?: 'approval' | 'answer' | 'budget' | 'time' | 'timer' | 'event' | 'children';
  /** When a waiting run continues by itself, or its request expires. */
  readonly waitsUntil?: EpochMs;
}

/** The place of a row in a list that is sorted by time and id. */
export interface ListPlace {
  readonly at: EpochMs;
  readonly id: string;
}

export interface RunFilter {
  readonly status?: RunStatus;
  readonly parent?: RunId;
  readonly root?: RunId;
  readonly kind?: string;
  readonly resumedFrom?: RunId;
  readonly subject?: string;
  readonly limit?: number;
  readonly statuses?: readonly RunStatus[];
  /** Runs of any of these trees. */
  readonly roots?: readonly RunId[];
  /** Only runs without a parent. */
  readonly rootsOnly?: boolean;
  /** Part of the goal; the case of ASCII letters does not matter. */
  readonly text?: string;
  readonly since?: EpochMs;
  /** Only runs that come after this place in the list, which has the newest first. */
  readonly after?: ListPlace;
}

export interface ApprovalFilter {
  readonly status?: ApprovalStatus;
  readonly run?: string;
}

/** The newest requests first. An undecided request has expired once its time is over. */
export interface ApprovalPageFilter {
  readonly statuses?: readonly ApprovalStatus[];
  /** Requests of any of these runs. */
  readonly runs?: readonly string[];
  readonly now: EpochMs;
  readonly limit: number;
  readonly after?: ListPlace;
}

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'answered' | 'withdrawn';

/** A request that waits for a person: a tool call, a question, or an effect with an unknown outcome. */
export interface ApprovalSummary {
  readonly id: string;
  readonly run: RunId;
  readonly kind: 'tool' | 'question' | 'unknown_effect';
  readonly tool?: string;
  readonly arguments?: Json;
  readonly argumentsHash?: string;
  readonly risk?: Risk;
  readonly why?: string;
  readonly question?: string;
  readonly options?: readonly string[];
  readonly requestedAt: EpochMs;
  readonly expiresAt: EpochMs;
  readonly status: ApprovalStatus;
  readonly decidedBy?: string;
  readonly decidedAt?: EpochMs;
  /** The root of the run's tree. */
  readonly root?: RunId;
  readonly step?: number;
  /** The policy rule that asks. */
  readonly rule?: string;
  readonly sideEffect?: SideEffect;
  readonly destructive?: true;
  /** What the call changes, in one line. */
  readonly effect?: string;
  /** Why the run wants the call. */
  readonly rationale?: string;
  /** What is known about an effect with an unknown outcome. */
  readonly known?: readonly string[];
  /** What each possible answer does. */
  readonly answers?: Readonly<Record<string, string>>;
  /** A person's answer. */
  readonly answer?: string;
  /** Why a person denied it. */
  readonly reason?: string;
  /** The requested arguments, if a person approved others: `arguments` are then the approved ones. */
  readonly requestedArguments?: Json;
}

/** Finds runs and stores snapshots of them, so that a resume does not fold a whole stream. */
export interface RunStore {
  list(filter: RunFilter): Promise<readonly RunSummary[]>;
  get(run: string): Promise<RunSummary | undefined>;
  approvals(filter: ApprovalFilter): Promise<readonly ApprovalSummary[]>;
  approvalPage(filter: ApprovalPageFilter): Promise<readonly ApprovalSummary[]>;
  approval(id: string): Promise<ApprovalSummary | undefined>;
  /** What the runs of a tree have emitted: the oldest run first, each in order. */
  artifacts(root: RunId): Promise<readonly (ArtifactRef & { readonly run: RunId })[]>;
  /** Replaces the run's snapshot. Losing it is harmless. */
  saveSnapshot(run: RunState): Promise<void>;
  loadSnapshot(run: string): Promise<RunState | undefined>;
  dropSnapshot(run: string): Promise<void>;
}

/** Content by digest. The content of a digest never changes. */
export interface ArtifactStore {
  /** Stores and syncs the content before it resolves. */
  put(
    content: string | Uint8Array,
    about: { readonly mediaType: string; readonly name?: string },
  ): Promise<ArtifactRef>;
  /** Whether the content exists; refreshes its age. A store that never deletes needs no such method. */
  touch?(digest: Digest): Promise<boolean>;
  /** Rejects with `engine.artifact_damaged` when the bytes do not match the digest. */
  get(digest: Digest): Promise<Uint8Array | undefined>;
  list(): Promise<readonly { readonly digest: Digest; readonly bytes: number; readonly storedAt: EpochMs }[]>;
  delete(digest: Digest): Promise<void>;
}

/** Results of cacheable tools. An entry may vanish at any time. */
export interface Cache {
  get(key: string): Promise<Json | undefined>;
  set(
    key: string,
    entry: { readonly tool: string; readonly output: Json; readonly expiresAt?: EpochMs },
  ): Promise<void>;
  clear(): Promise<void>;
}

/** A piece of knowledge that outlives runs. */
export interface MemoryItem {
  readonly id: string;
  readonly namespace: string;
  readonly text: string;
  readonly at: EpochMs;
  readonly metadata?: JsonObject;
}

/** Knowledge across runs. The memory domain ranks; a store only stores and finds. */
export interface MemoryStore {
  put(item: MemoryItem): Promise<void>;
  get(id: string): Promise<MemoryItem | undefined>;
  /** Items whose text contains every word of the query, newest first. */
  search(query: {
    readonly text: string;
    readonly namespace?: string;
    readonly limit?: number;
  }): Promise<readonly MemoryItem[]>;
  delete(id: string): Promise<void>;
}

export interface PolicyRequest {
  readonly tool: ToolFace;
  readonly input: Json;
  readonly run: {
    readonly id: string;
    readonly kind: string;
    readonly state: string;
    /** The acting agent, if the run belongs to one. */
    readonly agent?: string;
  };
}

export interface PolicyVerdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly rule: string;
  readonly why: string;
  /** The user allowed this destination by name, not only the tool. */
  readonly allowsDestination?: true;
  /** The user allowed this path by name, not only the tool. */
  readonly allowsPath?: true;
}

/** Decides what is allowed now. Pure: the same request gets the same verdict until the policy changes. */
export interface Policy {
  /** Identifies the rules in force; recorded with each run. */
  readonly version: string;
  decide(request: PolicyRequest): PolicyVerdict;
}

/** A person's standing approval, stored outside the workspace. */
export interface Grant {
  readonly id: string;
  readonly tool: string;
  /** Omitted: the scope of the binding, or any arguments if the tool binds nothing. */
  readonly argumentsHash?: string;
  /** The program and the files that a covered call uses. */
  readonly binding?: Binding;
  /** What it covers, in words. */
  readonly covers?: string;
  readonly by: string;
  readonly at: EpochMs;
  readonly expiresAt?: EpochMs;
}

export interface Grants {
  /** The grants for a tool that have not expired. */
  of(tool: string): readonly Grant[];
  add(grant: Grant): Promise<void>;
}

/** The programs that policy rows have covered so far, by content. Stored outside the workspace. */
export interface KnownPrograms {
  /** Undefined before the first call of that name. */
  get(name: string): Pick<BoundFile, 'path' | 'digest'> | undefined;
  put(program: BoundFile): void;
}

/** Checks whether the process of an owner is alive. */
export interface Owners {
  readonly self: string;
  isAlive(owner: string): boolean;
}

export type HookName = 'before_run' | 'after_run' | 'before_node' | 'after_node' | 'on_error';

export interface HookResult {
  readonly ok: boolean;
  readonly exitCode: number | null;
  readonly output: string;
}

/** Commands or modules that trusted configuration attaches to a run. */
export interface Hooks {
  has(name: HookName): boolean;
  /**
   * Runs all hooks of that name with the event on their stdin. `fail` tells whether a failure stops the run. On abort, the
   * running hook is killed with its child processes, and later hooks are skipped.
   */
  run(
    name: HookName,
    event: JsonObject,
    signal?: AbortSignal,
  ): Promise<readonly (HookResult & { readonly hook: string; readonly fail: boolean })[]>;
}

/** What is known about the origin of content. Tools get it as the capability `content`. */
export interface ContentOrigins {
  /** Where untrusted content with this digest comes from; undefined if it is not known to be untrusted. */
  untrustedFrom(digest: string): Promise<string | undefined>;
  /** The same for a file of the workspace, whose digest is read if it is not given. */
  untrustedFile(path: string, digest?: string): Promise<string | undefined>;
  /** The untrusted names in these paths, such as those that untrusted runs made, with where they come from. */
  untrustedNames(paths: Iterable<string>): Promise<ReadonlyMap<string, string>>;
  /** Why a program that can read the whole workspace may have read untrusted content; undefined if there is none. */
  anywhere(): Promise<string | undefined>;
  /** Those of these digests of contents, paths and names that are labelled. */
  labelled(digests: Labels): Promise<Labels>;
}

/** Digests of contents, of paths and of names. */
export interface Labels {
  readonly contents: readonly string[];
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

/** Loads known facts before planning: memory, procedures, context. They are recorded as evidence for the planner. */
export interface Recall {
  recall(request: {
    readonly goal: string;
    readonly kind: string;
    readonly vars: JsonObject;
    /** The run that needs them, and its parent. */
    readonly run: { readonly id: string; readonly parent?: string };
  }): Promise<readonly Evidence[]>;
}

/** Spans for an observer; free when there is none. */
export interface Telemetry {
  span<T>(
    name: string,
    attributes: Readonly<Record<string, string | number>>,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Does `work` in the trace of a run. */
  inRun?<T>(run: { readonly id: string; readonly root: string }, work: () => Promise<T>): Promise<T>;
}

/** The intended use of a secret. */
export interface CredentialUse {
  /** The user of the secret: a tool name, `mcp:<server>` or `model:<provider>`. */
  readonly tool: string;
  readonly run?: string;
  /** The destination host. */
  readonly host?: string;
  /** The owner of the file that references it, if any. */
  readonly from?: 'user' | 'project';
}

/** Resolves secrets by name, so that a remote worker uses its own. The value never enters the ledger. */
export interface CredentialProvider {
  resolve(name: string, use: CredentialUse): Promise<string | undefined>;
}

/** Finds a model provider by name, so that runs contain names and no keys. */
export interface ProviderDirectory<Provider> {
  find(name: string): Promise<Provider | undefined>;
  names(): readonly string[];
}

/** At most `calls` calls in any `intervalMs`. */
export interface RateLimit {
  readonly calls: number;
  readonly intervalMs: number;
}

/** Counts the calls that a rate limit is about, of every process that shares the store. */
export interface RateGate {
  /** When the next call may be made. */
  freeAt(name: string, limit: RateLimit): Awaitable<number>;
  /** Counts a call, and returns when it may be made. */
  take(name: string, limit: RateLimit): Awaitable<number>;
}

/** Tells whether a run that is about to complete did what it was asked, by what is there now. */
export type JudgeRun = (about: {
  readonly run: Readonly<RunState>;
  readonly finish: Finish;
  readonly children: readonly RunSummary[];
  readonly tool: (name: string) => ToolFace | undefined;
  readonly capabilities: Capabilities;
}) => Awaitable<Outcome>;
