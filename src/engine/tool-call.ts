import { type Json, OkaError, type Redactor, toFailure } from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import { APPLY_RULE, type Binding } from './binding.ts';
import { addSpend, type BudgetName, type Spend, sumOf } from './budgets.ts';
import { problemWithSpend } from './check-decision.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ToolCall, ToolOutcome } from './middleware.ts';
import type { RunnableCall } from './middleware-chain.ts';
import { runEvent } from './run-events.ts';
import { isUnattended, type RunState } from './run-state.ts';
import { shownNames } from './shown-names.ts';
import type { StopSwitch } from './stop-switch.ts';
import {
  type ContentRead,
  type ContentWritten,
  mayRepeat,
  PendingAnswer,
  type Tool,
  type ToolContext,
  type ToolFace,
} from './tool.ts';
import type { ArtifactRef, CallTool, Evidence, RecoveryNote, RunId } from './types.ts';

/** Streams that only the engine and the ledger write. */
const ENGINE_STREAMS = /^(run|budget|effect)\/|^system$/;

export interface CallParts {
  readonly run: RunState;
  readonly tool: Tool;
  readonly face: ToolFace;
  readonly decision: CallTool;
  readonly key: string;
  readonly step: number;
  readonly retriesLeft: number;
  readonly reserved?: Spend | undefined;
  readonly reserve?: (total: Spend) => Promise<boolean>;
  readonly binding?: Binding | undefined;
  readonly allowedByPerson?: boolean | undefined;
  readonly repeated?: boolean | undefined;
  readonly judge?: NonNullable<ToolContext['judge']>;
  readonly stop: StopSwitch;
  readonly checkCancelled: () => void;
}

/** One call of a tool, as middleware sees it. The handler gets only its own context. */
export class CallInProgress implements RunnableCall {
  readonly run: Readonly<RunState>;
  readonly tool: ToolFace;
  readonly decision: CallTool;
  readonly input: Json;
  readonly retriesLeft: number;
  readonly notes: ToolCall['notes'] = { attempts: 0 };
  readonly checkCancelled: () => void;
  readonly context: HandlerContext;
  readonly #real: Tool;
  #handlerRuns = 0;
  #over = false;
  #hookEvents: EventDraft[] | undefined;

  constructor(parts: EngineParts, call: CallParts) {
    this.run = call.run;
    this.#real = call.tool;
    this.tool = call.face;
    this.decision = call.decision;
    this.input = call.decision.input;
    this.retriesLeft = call.retriesLeft;
    this.checkCancelled = call.checkCancelled;
    this.context = new HandlerContext(parts, call);
  }

  abort(reason: Error): void {
    this.context.abortAttempt(reason);
  }

  /** Artifacts stored by this call. */
  get artifacts(): readonly ArtifactRef[] {
    return this.context.stored();
  }

  /** Events to record with the outcome. */
  get records(): readonly StreamAppend[] {
    return this.context.recorded();
  }

  /** The cost that the handler charged. */
  get charged(): Spend | undefined {
    return this.context.charged();
  }

  /** Failures that were handled inside this call; undefined if there were none. */
  get recovered(): readonly RecoveryNote[] | undefined {
    const notes = [...(this.notes.recovered ?? []), ...this.context.recoveries()];
    return notes.length === 0 ? undefined : notes;
  }

  /** What the handler has read. */
  get reads(): readonly ContentRead[] {
    return this.context.reads();
  }

  /** What the handler has written. */
  get writes(): readonly ContentWritten[] {
    return this.context.writes();
  }

  /** What the handler changed, if only it could tell. */
  get changes(): Json | undefined {
    return this.context.changes();
  }

  /** The rule by which a real run would have asked a person; only in a simulation. */
  get asks(): string | undefined {
    return this.context.asks();
  }

  get hookEvents(): readonly EventDraft[] {
    return this.#hookEvents ?? [];
  }

  noteHook({ hook, ok, exitCode, output }: Parameters<ToolCall['noteHook']>[0]): void {
    this.#hookEvents ??= [];
    this.#hookEvents.push(runEvent('hook.ran', { hook, ok, exitCode }, { output }));
  }

  get handlerRuns(): number {
    return this.#handlerRuns;
  }

  /** Prevents further runs of the handler. */
  close(): void {
    this.#over = true;
  }

  /** Runs the handler, at most as often as it may be repeated and retries are reserved. */
  async runHandler(): Promise<ToolOutcome> {
    if (this.#over)
      throw new OkaError('engine.middleware_violation', `The call of ${this.tool.name} has ended.`);
    const maxRuns = mayRepeat(this.#real) ? 1 + this.retriesLeft : 1;
    if (this.#handlerRuns >= maxRuns) {
      const message = `A middleware tried to run ${this.tool.name} again, which this call does not allow. It must call next() once.`;
      return { kind: 'failure', failure: { code: 'engine.middleware_violation', message } };
    }
    this.#handlerRuns += 1;
    try {
      const outcome = toOutcome(await this.#real.handler(this.input, this.context));
      this.context.readShownNames(outcome);
      return outcome;
    } catch (error) {
      this.context.readShownNames(toFailure(error, 'engine.tool_failed'));
      throw error;
    }
  }
}

/** The context of a handler. Functions are created on first use, because most handlers need none. */
class HandlerContext implements ToolContext {
  readonly runId: RunId;
  readonly step: number;
  readonly idempotencyKey: string;
  readonly capabilities: ToolContext['capabilities'];
  readonly untrusted: boolean;
  readonly redactor: Redactor;
  readonly evidence: readonly Evidence[];
  readonly modelAnswered: boolean;
  readonly reserved?: Spend;
  readonly reserve?: (total: Spend) => Promise<boolean>;
  readonly binding?: Binding;
  readonly unattended: boolean;
  readonly allowedByPerson: boolean;
  readonly repeated: boolean;
  readonly judge?: NonNullable<ToolContext['judge']>;
  readonly noteAsk?: NonNullable<ToolContext['noteAsk']>;
  readonly #parts: EngineParts;
  readonly #stop: StopSwitch;
  #attempt: AbortController | undefined;
  #artifacts: ArtifactRef[] | undefined;
  #records: StreamAppend[] | undefined;
  #spent: { [name in BudgetName]?: number } | undefined;
  #recoveries: RecoveryNote[] | undefined;
  #reads: ContentRead[] | undefined;
  #names: Map<string, string> | undefined;
  #writes: ContentWritten[] | undefined;
  #changes: Json | undefined;
  #asks: string | undefined;

  constructor(parts: EngineParts, call: CallParts) {
    this.runId = call.run.id;
    this.step = call.step;
    this.idempotencyKey = call.key;
    this.capabilities = parts.watch?.(parts.capabilities, this) ?? parts.capabilities;
    this.untrusted = call.run.untrusted;
    this.redactor = parts.redactor;
    this.evidence = call.run.evidence;
    this.modelAnswered = (call.run.used.model_calls ?? 0) > 0;
    if (call.reserved !== undefined) this.reserved = call.reserved;
    const { reserve } = call;
    if (reserve !== undefined) this.reserve = (total) => reserve(sumOf(this.#spent, total));
    if (call.binding !== undefined) this.binding = call.binding;
    this.unattended = isUnattended(call.run);
    this.allowedByPerson = call.allowedByPerson === true;
    this.repeated = call.repeated === true;
    if (call.judge !== undefined) this.judge = call.judge;
    if (parts.simulate)
      this.noteAsk = () => {
        this.#asks = APPLY_RULE;
      };
    this.#parts = parts;
    this.#stop = call.stop;
  }

  /** Created on first use, because most handlers do not need it. */
  get signal(): AbortSignal {
    this.#attempt ??= new AbortController();
    return AbortSignal.any([this.#stop.signal, this.#attempt.signal]);
  }

  get now(): ToolContext['now'] {
    return () => this.#parts.clock.now();
  }

  get emitArtifact(): ToolContext['emitArtifact'] {
    return async (content, about) => {
      const ref = await this.#parts.artifacts.put(withoutSecrets(content, this.#parts.redactor), about);
      this.#artifacts ??= [];
      this.#artifacts.push(ref);
      return ref;
    };
  }

  get record(): ToolContext['record'] {
    return ({ stream, event }) => {
      if (ENGINE_STREAMS.test(stream)) {
        throw new OkaError(
          'engine.tool_failed',
          `A tool may not write to the stream "${stream}". Use a stream of its own.`,
        );
      }
      this.#records ??= [];
      this.#records.push({ stream, events: [event] });
    };
  }

  get charge(): ToolContext['charge'] {
    return (spend) => {
      const problem = problemWithSpend(spend);
      if (problem !== undefined)
        throw new OkaError('engine.tool_failed', `A tool charged an invalid amount: ${problem}.`);
      this.#spent ??= {};
      addSpend(this.#spent, spend);
    };
  }

  get noteRecovery(): NonNullable<ToolContext['noteRecovery']> {
    return (note) => {
      this.#recoveries ??= [];
      this.#recoveries.push(note);
    };
  }

  get noteRead(): NonNullable<ToolContext['noteRead']> {
    return (read) => {
      this.#reads ??= [];
      this.#reads.push(read);
    };
  }

  get noteWrite(): NonNullable<ToolContext['noteWrite']> {
    return (written) => {
      this.#writes ??= [];
      this.#writes.push(written);
    };
  }

  get noteChanges(): NonNullable<ToolContext['noteChanges']> {
    return (preimage) => {
      this.#changes = preimage;
    };
  }

  changes(): Json | undefined {
    return this.#changes;
  }

  asks(): string | undefined {
    return this.#asks;
  }

  get noteNames(): NonNullable<ToolContext['noteNames']> {
    return (untrusted) => {
      this.#names ??= new Map();
      for (const [name, source] of untrusted) this.#names.set(name, source);
    };
  }

  /** Whether the run, or this call, has read untrusted content so far. */
  readonly isUntrusted = (): boolean =>
    this.untrusted || this.reads().some(({ untrusted }) => untrusted !== undefined);

  /** The names in an outcome count as read. */
  readShownNames(outcome: unknown): void {
    if (this.#names === undefined) return;
    for (const name of shownNames(this.#names.keys(), outcome))
      this.noteRead({ untrusted: this.#names.get(name) });
  }

  reads(): readonly ContentRead[] {
    return this.#reads ?? [];
  }

  writes(): readonly ContentWritten[] {
    return this.#writes ?? [];
  }

  recoveries(): readonly RecoveryNote[] {
    return this.#recoveries ?? [];
  }

  charged(): Spend | undefined {
    return this.#spent;
  }

  recorded(): readonly StreamAppend[] {
    return this.#records ?? [];
  }

  stored(): readonly ArtifactRef[] {
    return this.#artifacts ?? [];
  }

  abortAttempt(reason: Error): void {
    this.#attempt?.abort(reason);
    this.#attempt = undefined;
  }
}

/** Redacts known secrets from artifacts too. */
function withoutSecrets(content: string | Uint8Array, redactor: Redactor): string | Uint8Array {
  if (typeof content === 'string') return redactor.known(content);
  const text = textIn(content);
  if (text === undefined) return content;
  const clean = redactor.known(text);
  return clean === text ? content : clean;
}

function textIn(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

function toOutcome(answer: unknown): ToolOutcome {
  if (answer instanceof PendingAnswer) return { kind: 'pending', pending: answer.pending };
  return { kind: 'output', output: (answer ?? null) as Json };
}
