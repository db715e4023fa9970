import type { Json } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ToolCall, ToolOutcome } from './middleware.ts';
import { runEvent } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { mayRepeat, PendingAnswer, type Tool, type ToolContext, type ToolFace } from './tool.ts';
import type { ArtifactRef, CallTool, RunId } from './types.ts';

/** One call of a tool: what middleware sees, and the context that the handler gets. */
export class CallInProgress implements ToolCall, ToolContext {
  readonly run: Readonly<RunState>;
  readonly tool: ToolFace;
  readonly decision: CallTool;
  readonly input: Json;
  readonly retriesLeft: number;
  readonly notes: ToolCall['notes'] = { attempts: 0 };
  readonly runId: RunId;
  readonly step: number;
  readonly idempotencyKey: string;
  readonly look: () => void;
  readonly #parts: EngineParts;
  readonly #stop: AbortSignal;
  readonly #real: Tool;
  #attempt: AbortController | undefined;
  #handlerRuns = 0;
  readonly #artifacts: ArtifactRef[] = [];
  readonly #hookEvents: EventDraft[] = [];

  constructor(
    parts: EngineParts,
    call: {
      run: RunState;
      tool: Tool;
      face: ToolFace;
      decision: CallTool;
      key: string;
      step: number;
      retriesLeft: number;
      stop: AbortSignal;
      look: () => void;
    },
  ) {
    this.run = call.run;
    this.#real = call.tool;
    this.tool = call.face;
    this.decision = call.decision;
    this.input = call.decision.input;
    this.retriesLeft = call.retriesLeft;
    this.runId = call.run.id;
    this.step = call.step;
    this.idempotencyKey = call.key;
    this.#parts = parts;
    this.#stop = call.stop;
    this.look = call.look;
    Object.freeze(this);
  }

  get context(): ToolContext {
    return this;
  }

  get capabilities(): ToolContext['capabilities'] {
    return this.#parts.capabilities;
  }

  /** Made when a handler first asks for it; most never do. */
  get signal(): AbortSignal {
    this.#attempt ??= new AbortController();
    return AbortSignal.any([this.#stop, this.#attempt.signal]);
  }

  abort = (reason: Error): void => {
    this.#attempt?.abort(reason);
    this.#attempt = undefined;
  };

  now = (): number => this.#parts.clock.now();

  emitArtifact: ToolContext['emitArtifact'] = async (content, about) => {
    const ref = await this.#parts.artifacts.put(content, about);
    this.#artifacts.push(ref);
    return ref;
  };

  /** What was really stored for this call. */
  get artifacts(): readonly ArtifactRef[] {
    return this.#artifacts;
  }

  get hookEvents(): readonly EventDraft[] {
    return this.#hookEvents;
  }

  noteHook: ToolCall['noteHook'] = (result) => {
    const { hook, ok, exitCode, output } = result;
    this.#hookEvents.push(runEvent('hook.ran', { hook, ok, exitCode }, { output }));
  };

  /** How often the handler was really run. */
  get handlerRuns(): number {
    return this.#handlerRuns;
  }

  /** The innermost place of the chain: the handler itself. Runs no more often than is harmless and paid for. */
  runHandler = (): ToolOutcome | Promise<ToolOutcome> => {
    const most = mayRepeat(this.#real) ? 1 + this.retriesLeft : 1;
    if (this.#handlerRuns >= most) {
      const message = `a middleware wanted to run ${this.tool.name} again, which this call does not allow; it must call next() once.`;
      return { kind: 'failure', failure: { code: 'engine.middleware_violation', message } };
    }
    this.#handlerRuns += 1;
    const answer = this.#real.handler(this.input, this);
    return answer instanceof Promise ? answer.then(toOutcome) : toOutcome(answer);
  };
}

function toOutcome(answer: unknown): ToolOutcome {
  if (answer instanceof PendingAnswer) return { kind: 'pending', pending: answer.pending };
  return { kind: 'output', output: (answer ?? null) as Json };
}
