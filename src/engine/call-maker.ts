// Owns: making a call, and putting on record what came of it, also under its key. Does not own: whether it may be made.
import { toFailure } from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import { andThen } from './and-then.ts';
import { EffectKey } from './effect-key.ts';
import type { ToolOutcome } from './middleware.ts';
import type { PendingCalls } from './pending-calls.ts';
import { runEvent } from './run-events.ts';
import type { RunState } from './run-state.ts';
import type { SessionCore } from './session-core.ts';
import {
  type CallFacts,
  callCompleted,
  outcomeRecorded,
  type Settled,
  unknownEffectAsked,
} from './step-events.ts';
import { needsIntent, type Tool, type ToolFace } from './tool.ts';
import { CallInProgress } from './tool-call.ts';
import type { CallTool } from './types.ts';

export class CallMaker {
  readonly #core: SessionCore;
  readonly #run: RunState;
  readonly #pending: PendingCalls;

  constructor(core: SessionCore, pending: PendingCalls) {
    this.#core = core;
    this.#run = core.run;
    this.#pending = pending;
  }

  /** What is known of the key that a call has. */
  keyOf({ tool, idempotencyKey, input }: CallTool, step: number): Promise<EffectKey> {
    const key = idempotencyKey as string;
    return EffectKey.look(this.#core.parts.events, { tool, key, input, run: this.#run.id, step });
  }

  start(
    decision: CallTool,
    tool: Tool,
    key: string,
    step: number,
    most = Number.POSITIVE_INFINITY,
  ): CallInProgress {
    const { parts, desk, stop, look } = this.#core;
    const { balance } = desk;
    const run = this.#run;
    const wanted = Math.min(decision.retries ?? run.limits.node_retries ?? 0, most);
    const retriesLeft = Math.min(wanted, balance('retries'), balance('tool_calls') - 1);
    const { face } = parts.tools.forCall(tool, decision.input);
    return new CallInProgress(parts, {
      run,
      tool,
      face,
      decision,
      key,
      step,
      retriesLeft,
      stop,
      look,
    });
  }

  /** Makes the call, and goes on with what it came to. */
  perform<Result>(
    progress: CallInProgress,
    effects: boolean,
    pretend: boolean,
    goOn: (outcome: ToolOutcome) => Result | Promise<Result>,
  ): Result | Promise<Result> {
    const { simulate, middleware } = this.#core.parts;
    if (pretend || (simulate && effects && !progress.tool.simulatable)) {
      const output = { simulated: true, tool: progress.tool.name, input: progress.input };
      return goOn({ kind: 'output', output });
    }
    let outcome: ToolOutcome | Promise<ToolOutcome>;
    try {
      outcome = middleware.call(progress);
    } catch (error) {
      outcome = failed(error);
    }
    const over = (settled: ToolOutcome): Result | Promise<Result> => {
      progress.close();
      return goOn(settled);
    };
    return outcome instanceof Promise
      ? outcome.then(over, (error: unknown) => over(failed(error)))
      : over(outcome);
  }

  /** Puts what a call came to on record. */
  record(
    call: CallTool,
    progress: CallInProgress,
    outcome: ToolOutcome,
    facts: CallFacts,
    effect?: EffectKey,
  ): Promise<void> {
    const { tool, notes, artifacts } = progress;
    const intended = needsIntent(tool);
    if (outcome.kind === 'pending') return this.#pending.record(call, tool, outcome.pending, facts);
    if (intended && outcome.kind === 'failure' && outcome.failure.code === 'engine.effect_unknown') {
      return this.askAboutUnknown(tool, outcome.failure.message);
    }
    const ruled =
      outcome.kind === 'output' && call.then !== undefined ? this.#core.agreed(call.then) : undefined;
    return andThen(ruled, (to) => {
      const event = this.#eventOf(call, progress, outcome, facts, to);
      const drafts = progress.hookEvents.length === 0 ? [event] : [...progress.hookEvents, event];
      const place = drafts.length - 1;
      if (artifacts.length > 0) {
        const about = { step: facts.step, tool: tool.name, count: artifacts.length };
        drafts.push(runEvent('artifacts.emitted', about, artifacts));
      }
      const records = outcome.kind === 'output' ? progress.records : [];
      const others =
        effect === undefined && records.length === 0
          ? undefined
          : (): readonly StreamAppend[] => [...records, ...this.keep(effect, outcome, place, intended)];
      const committed = this.#core.writer.commit(drafts, intended ? 'full' : 'normal', others);
      const { hookFailure } = notes;
      return hookFailure === undefined
        ? committed
        : committed.then(() => this.#core.fail(hookFailure, call.rationale));
    }) as Promise<void>;
  }

  #eventOf(
    call: CallTool,
    { tool, handlerRuns, charged }: CallInProgress,
    outcome: Settled,
    facts: CallFacts,
    to: string | undefined,
  ): EventDraft {
    const untrusted = tool.untrusted ? true : undefined;
    const cached = handlerRuns === 0 && outcome.kind === 'output' ? true : undefined;
    const made = { to, attempts: handlerRuns, charged, untrusted, cached } as const;
    return needsIntent(tool)
      ? outcomeRecorded({ step: facts.step, tool: tool.name }, outcome, made)
      : callCompleted(this.#run, call, facts, outcome, made);
  }

  /** What is kept under the call's key. `place` is where the outcome stands among the events of its commit. */
  keep(effect: EffectKey | undefined, outcome: ToolOutcome, place: number, claimed: boolean): StreamAppend[] {
    if (effect === undefined) return [];
    if (outcome.kind === 'output') return [effect.record(this.#run.index + 1 + place)];
    return claimed ? [effect.release()] : [];
  }

  /** Asks a person what became of an effect that nobody knows of. */
  askAboutUnknown(tool: ToolFace, why: string): Promise<void> {
    const { writer } = this.#core;
    return writer.commit([unknownEffectAsked(this.#run, tool, why, this.#core.asking())], 'full');
  }
}

function failed(error: unknown): ToolOutcome {
  return { kind: 'failure', failure: toFailure(error, 'engine.tool_failed') };
}
