import type { StandardSchemaV1 } from '@standard-schema/spec';
import {
  type Digest,
  digestOfJson,
  type EpochMs,
  type Json,
  type JsonObject,
  OkaError,
  type Redactor,
} from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { Binding, BindingPart } from './binding.ts';
import type { BudgetName, Spend } from './budgets.ts';
import type { ArtifactRef, Awaitable, Evidence, Pending, RecoveryNote, RunId } from './types.ts';

export type Risk = 'none' | 'low' | 'medium' | 'high' | 'critical';
export const RISKS: readonly Risk[] = ['none', 'low', 'medium', 'high', 'critical'];
export type SideEffect = 'read' | 'write_local' | 'external_mutation';

/** What a call changes: its kind, and one line with the parts that a person needs. */
export interface CallEffect {
  readonly kind:
    | 'program'
    | 'request'
    | 'file'
    | 'state'
    | 'memory'
    | 'message'
    | 'schedule'
    | 'context'
    | 'install'
    | 'tool';
  readonly what: string;
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly method?: string;
  readonly url?: string;
  readonly path?: string;
}

export interface ToolAnnotations {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly cacheable: boolean;
  readonly risk: Risk;
}

/** A schema that validates values and has a JSON Schema form. */
export interface ToolSchema<Value = unknown> {
  readonly check: StandardSchemaV1<unknown, Value>;
  /** The JSON Schema form; computed only when it is shown or hashed. */
  readonly json: () => JsonObject;
}

/** A tool: its name, input, output, possible effects and handler. */
export interface Tool<Input = unknown, Output = unknown> {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly input: ToolSchema<Input>;
  readonly output?: ToolSchema<Output>;
  readonly annotations: ToolAnnotations;
  readonly sideEffect: SideEffect;
  /** The digest that runs are pinned to, if it is not that of the current texts. */
  readonly pinnedDigest?: Digest;
  /** Its origin, such as `mcp:github`; built in by default. */
  readonly source?: string;
  /** Tools that do the same for one file: their ask and deny rows of a policy apply to this tool too. */
  readonly countsAs?: readonly string[];
  /** True when its output is untrusted: web pages, other programs, other servers. */
  readonly untrusted?: boolean;
  /**
   * The effects of a call with this input, if they differ from the worst case. Pure. The tool's own annotations and side
   * effect are the upper bound for every input.
   */
  readonly forInput?: (input: Input, capabilities?: Capabilities) => NarrowedTool;
  /**
   * The hosts that a call with this input contacts, with their ports unless these are the default. Pure. A person must have
   * named each of them.
   */
  readonly reaches?: (input: Input) => readonly string[];
  /** The workspace paths that a call with this input writes. Pure. */
  readonly writes?: (input: Input) => readonly string[];
  /** True when it changes what happens at a later time, such as a reminder. */
  readonly schedules?: true;
  /**
   * The input fields, as paths, with which this call may do more than its main arguments say, such as a network access. An
   * allow row covers the call only if it names them. Pure.
   */
  readonly widens?: (input: Input) => readonly (readonly string[])[];
  /** Whether a command line of git only reads; undefined for another program. Pure. */
  readonly gitClass?: (argv: readonly string[]) => 'read' | 'write' | undefined;
  /** What a call with this input changes, for reports. Pure; by default the name of the tool. */
  readonly effect?: (input: Input) => CallEffect;
  readonly timeoutMs?: number;
  /**
   * What a call spends at most besides the call itself, reserved before it; `context.charge` reports the actual cost. The
   * engine does not retry such a call: a retry is a call of its own, with a reservation of its own.
   */
  readonly spends?: Spend | ((input: Input, on: SpendContext) => Awaitable<Spend>);
  /** True when the handler's only effect is what it records with its outcome; it then needs no intent. */
  readonly recordsOnly?: boolean;
  /** True when the handler uses only the ledger, which the run itself changed; a replay returns the recorded output. */
  readonly ledgerOnly?: boolean;
  /**
   * True when the handler restores the secrets that marks in its input stand for, or a mark does no harm there. Any other tool
   * with effects would put a mark where a secret belongs, so the engine refuses the call.
   */
  readonly acceptsMarks?: boolean;
  /** True when the handler's effects stay inside capabilities that simulation can overlay. */
  readonly simulatable?: boolean;
  /**
   * What a call with this input is bound to besides its arguments, such as the program that it starts. An approval, a grant
   * and a policy row cover the call only while that is unchanged. The handler gets it as `context.binding` and checks it again
   * right before it acts; it fails with `engine.binding_changed` if something changed.
   */
  readonly binds?: (input: Input, on: BindContext) => Promise<Binding>;
  /**
   * Rejects a call that cannot run at all, such as one of a missing program. Reads only. Called before a person is asked about
   * the call and before a simulation counts it; `preimage` is called there too.
   */
  readonly check?: (
    input: Input,
    context: Pick<ToolContext, 'capabilities' | 'signal'>,
  ) => Promise<void> | void;
  /** Called before the intent is recorded; its result is stored once with the intent and makes the run undoable. */
  readonly preimage?: (input: Input, context: ToolContext) => Promise<Json | undefined>;
  /** Restores the preimage and describes what it did. Rejects with `engine.undo_conflict` unless forced. */
  readonly undo?: (
    change: { input: Input; preimage: Json; force: boolean },
    context: ToolContext,
  ) => Promise<string>;
  readonly handler: (input: Input, context: ToolContext) => Promise<ToolAnswer<Output>> | ToolAnswer<Output>;
}

/** The effects of one call. `untrusted`: false where the handler notes itself whether it has read untrusted content. */
export interface NarrowedTool
  extends Pick<Tool, 'sideEffect' | 'annotations' | 'untrusted' | 'simulatable'> {}

/** What a tool needs to know in order to tell what a call spends. */
export interface SpendContext {
  readonly runId: RunId;
  readonly capabilities: Capabilities;
  readonly signal: AbortSignal;
  /** What can be reserved of a budget. */
  readonly left: (name: BudgetName) => number;
}

/** What a tool needs to tell what a call is bound to. */
export interface BindContext {
  readonly capabilities: Capabilities;
  readonly part: BindingPart;
}

/** A tool without its functions, as planners, policy and middleware see it. */
export type ToolFace = Omit<Tool, 'handler' | 'check' | 'preimage' | 'undo' | 'spends' | 'binds'>;

/** A value, or a pending outcome that outlives this call. */
export type ToolAnswer<Output> = Output | PendingAnswer;

export class PendingAnswer {
  readonly pending: Pending;
  constructor(pending: Pending) {
    this.pending = pending;
  }
}

/** The context of a handler: narrow capabilities, never the runtime. */
export interface ToolContext {
  readonly runId: RunId;
  readonly step: number;
  readonly signal: AbortSignal;
  /** The same for every attempt of this call, even after a crash. */
  readonly idempotencyKey: string;
  readonly capabilities: Capabilities;
  /** Stores content as an artifact and lists it with the run. */
  readonly emitArtifact: (
    content: string | Uint8Array,
    about: { name: string; mediaType: string },
  ) => Promise<ArtifactRef>;
  /** Appends to a domain's stream in the commit of this call's outcome; dropped when the call fails. */
  readonly record: (append: { readonly stream: string; readonly event: EventDraft }) => void;
  /** What the call was allowed with, if the tool binds its calls. */
  readonly binding?: Binding;
  /** The verdict on another call of this tool that this one leads to, such as a redirect. Only `allow` needs no person. */
  readonly judge?: (input: Json) => Promise<FurtherVerdict>;
  /** What the engine reserved for this call, if the tool says what it spends. */
  readonly reserved?: Spend;
  /** Reserves the total of what the call still spends; false if the budgets do not cover it. */
  readonly reserve?: (total: Spend) => Promise<boolean>;
  /** Charges the cost of the call so far, such as tokens; recorded with its outcome, even when it fails. */
  readonly charge: (spend: Spend) => void;
  /** Records that the handler recovered from a failure itself, such as by a fallback model. */
  readonly noteRecovery?: (note: RecoveryNote) => void;
  readonly now: () => EpochMs;
  /** Hides secrets from records, and finds them again where they stood. */
  readonly redactor: Pick<Redactor, 'tagged' | 'restore'>;
  /** What the run has seen so far, as recorded: secrets are marks. */
  readonly evidence?: readonly Evidence[];
  /** Whether a model has answered in this run, so that it may have decided what the call writes. */
  readonly modelAnswered?: boolean;
  /** Whether the run had read untrusted content before this call. */
  readonly untrusted?: boolean;
  /** Records that the handler has read untrusted content. Also recorded when the call fails. */
  readonly noteRead?: (read: ContentRead) => void;
  /** Records names of files that a capability yielded, with where they come from. They count as read if the outcome shows them. */
  readonly noteNames?: (untrusted: ReadonlyMap<string, string>) => void;
  /** Records content that the call wrote. It is untrusted if the run is. Also recorded when the call fails. */
  readonly noteWrite?: (written: ContentWritten) => void;
  /** Records what the call changed, where only its handler can tell; makes the run undoable like a preimage. */
  readonly noteChanges?: (preimage: Json) => void;
  /** Only in a simulation: records that a real run would ask before it applied the changes, which the simulation applies. */
  readonly noteAsk?: () => void;
  /** Nobody watches the run. */
  readonly unattended?: boolean;
  /** An earlier attempt of this call was interrupted, and may have acted. */
  readonly repeated?: boolean;
  /** Whether a person allowed this call: by an approval, a grant or a row of their policy. */
  readonly allowedByPerson?: boolean;
}

/** A context that records and charges nothing, for a tool's functions besides its handler. */
export function plainContext(
  call: Pick<
    ToolContext,
    'runId' | 'step' | 'capabilities' | 'now' | 'redactor' | 'evidence' | 'modelAnswered'
  > & {
    readonly use: string;
    readonly artifacts: { readonly put: ToolContext['emitArtifact'] };
    readonly signal?: AbortSignal;
  },
): ToolContext {
  const { runId, step, use, artifacts, signal = new AbortController().signal, ...rest } = call;
  return {
    ...{ runId, step, signal, idempotencyKey: `${runId}/${step}/${use}` },
    ...rest,
    emitArtifact: (content, about) => artifacts.put(content, about),
    record: () => undefined,
    charge: () => undefined,
  };
}

/** Whether a call that another one leads to needs a person. */
interface FurtherVerdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly why: string;
}

/** What a call has read. */
export interface ContentRead {
  /** The source of untrusted content, such as a file and the run that wrote it. */
  readonly untrusted?: string | undefined;
}

/** Content that a call wrote: by digest, or every file that changed in an interval if there were too many. */
export type ContentWritten =
  | { readonly digest?: string; readonly path: string; readonly place?: PlaceWritten }
  | { readonly changedFrom: EpochMs; readonly changedUntil: EpochMs };

/** What happened at a path of the workspace. */
interface PlaceWritten {
  /** The names that did not exist before: of the file, and of the folders above it. */
  readonly made: readonly string[];
  /** The digest of the trusted content that was there before. */
  readonly before?: string | undefined;
  /** Whether content that was moved or copied here is untrusted; it is as it was, whoever moved it. */
  readonly carried?: boolean;
  /** Nothing is there any more. */
  readonly gone?: true;
}

/** Makes the capabilities of one call: what they yield and change is noted, whatever the tool itself notes. */
export type WatchCall = (
  capabilities: Capabilities,
  call: Pick<ToolContext, 'noteNames' | 'noteWrite'> & { readonly isUntrusted: () => boolean },
) => Capabilities;

/** Capabilities by name; each tool requests the ones it needs. */
export type Capabilities = Readonly<Record<string, unknown>>;

export function requireCapability<T>(context: Pick<ToolContext, 'capabilities'>, name: string): T {
  const capability = context.capabilities[name];
  if (capability === undefined) {
    throw new OkaError(
      'engine.tool_failed',
      `The capability "${name}" is not available, so the tool cannot run.`,
    );
  }
  return capability as T;
}

/** What a call changes; the name of the tool if it does not say. */
export function effectOf(tool: ToolFace, input: unknown): CallEffect {
  try {
    return tool.effect?.(input) ?? { kind: 'tool', what: tool.name };
  } catch {
    return { kind: 'tool', what: tool.name };
  }
}

export function hasEffects(tool: ToolFace): boolean {
  return tool.sideEffect !== 'read';
}

/** Whether a call needs an intent before it acts: not when it has no effect before its outcome is recorded. */
export function needsIntent(tool: Pick<Tool, 'sideEffect' | 'recordsOnly'>): boolean {
  return tool.sideEffect !== 'read' && tool.recordsOnly !== true;
}

/** Whether a call with an unknown outcome may be repeated without asking. */
export function mayRepeat(tool: ToolFace): boolean {
  return tool.annotations.readOnly || tool.annotations.idempotent;
}

const TOOL_NAME = /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*$/;

/** The tools of an engine. Names are unique; inconsistent tools are rejected. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  readonly #faces = new Map<string, ToolFace>();
  #allFaces: readonly ToolFace[] | undefined;
  #digests: Readonly<Record<string, Digest>> | undefined;

  readonly #known: Readonly<Record<string, Digest>>;

  /** `known` are digests from the build; computing them means serializing every schema. */
  constructor(tools: Iterable<Tool> = [], known: Readonly<Record<string, Digest>> = {}) {
    this.#known = known;
    for (const tool of tools) this.add(tool);
  }

  add(tool: Tool): void {
    const problem = findProblem(tool, this.#tools.has(tool.name));
    if (problem)
      throw new OkaError('engine.invalid_tool', `The tool ${tool.name} ${problem}.`, {
        data: { tool: tool.name },
      });
    const kept = Object.freeze({ ...tool, annotations: Object.freeze({ ...tool.annotations }) });
    const { handler: _, check: __, preimage: ___, undo: ____, binds: _____, ...face } = kept;
    this.#tools.set(tool.name, kept);
    this.#faces.set(tool.name, Object.freeze(face));
    this.#allFaces = undefined;
    this.#digests = undefined;
  }

  /** Replaces tools that may change while the engine works, such as those of MCP servers. */
  replace(former: readonly Tool[], tools: readonly Tool[]): void {
    for (const { name } of former) {
      this.#tools.delete(name);
      this.#faces.delete(name);
    }
    this.#allFaces = undefined;
    this.#digests = undefined;
    for (const tool of tools) this.add(tool);
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  require(name: string): Tool {
    const tool = this.#tools.get(name);
    if (!tool) {
      throw new OkaError('engine.unknown_tool', `No tool "${name}". See: oka tools list.`, {
        data: { tool: name },
      });
    }
    return tool;
  }

  /** A tool without its functions. */
  face(name: string): ToolFace | undefined {
    return this.#faces.get(name);
  }

  /** A tool narrowed to its effects with this input. Never more than the worst case. */
  forCall(
    tool: Tool,
    input: unknown,
    capabilities?: Capabilities,
  ): { readonly tool: Tool; readonly face: ToolFace } {
    const face = this.#faces.get(tool.name) as ToolFace;
    const narrowed = narrowTool(face, input, capabilities);
    return narrowed === face ? { tool, face } : { tool: { ...tool, ...classOf(narrowed) }, face: narrowed };
  }

  faces(): readonly ToolFace[] {
    this.#allFaces ??= Object.freeze([...this.#faces.values()]);
    return this.#allFaces;
  }

  all(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  /** A hash of each tool, for pinning. */
  digests(): Readonly<Record<string, Digest>> {
    this.#digests ??= Object.fromEntries(
      this.all().map((tool) => [
        tool.name,
        (Object.hasOwn(this.#known, tool.name) && this.#known[tool.name]) ||
          (tool.pinnedDigest ?? digestOfTool(tool)),
      ]),
    );
    return this.#digests;
  }
}

const SIDE_EFFECTS: readonly SideEffect[] = ['read', 'write_local', 'external_mutation'];

/** Narrows a tool to its effects with this input; ignores a tool that claims more than its class. */
export function narrowTool(face: ToolFace, input: unknown, capabilities?: Capabilities): ToolFace {
  if (face.forInput === undefined) return face;
  try {
    const made = face.forInput(input, capabilities);
    const narrowed = { ...face, ...classOf(made), annotations: Object.freeze({ ...made.annotations }) };
    const wider =
      SIDE_EFFECTS.indexOf(made.sideEffect) > SIDE_EFFECTS.indexOf(face.sideEffect) ||
      findProblem(narrowed, false) !== undefined;
    return wider ? face : Object.freeze(narrowed);
  } catch {
    return face;
  }
}

function classOf({ sideEffect, annotations, untrusted, simulatable }: NarrowedTool): NarrowedTool {
  return {
    ...{ sideEffect, annotations },
    ...(untrusted === undefined ? {} : { untrusted }),
    ...(simulatable === undefined ? {} : { simulatable }),
  };
}

function digestOfTool(tool: Tool): Digest {
  return digestOfJson({
    version: tool.version,
    input: tool.input.json(),
    output: tool.output?.json() ?? null,
    annotations: tool.annotations,
    sideEffect: tool.sideEffect,
  });
}

function findProblem(tool: ToolFace, taken: boolean): string | undefined {
  if (!TOOL_NAME.test(tool.name)) return 'has a name that is not lower-case words joined by dots';
  if (taken) return 'is registered twice';
  if (tool.annotations.readOnly !== (tool.sideEffect === 'read'))
    return 'must be read-only exactly when its side effect is "read"';
  if (tool.annotations.readOnly && tool.annotations.destructive)
    return 'cannot be both read-only and destructive';
  if (tool.annotations.cacheable && !mayRepeat(tool))
    return 'is cacheable but neither read-only nor idempotent';
  return undefined;
}
