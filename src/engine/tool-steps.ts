// Owns: calling a tool on behalf of a run, from the decision to its recorded outcome. Does not own: planning.
// I1 An effect happens only between its recorded intent and its recorded outcome.
// I2 An effect with a key of its own happens once over all runs; who comes later gets its outcome.
// I3 What a person approved runs as it was shown, or not at all.
import {
  canonicalJson,
  deepFreeze,
  type Failure,
  isOkaError,
  type Json,
  toFailure,
} from '../kernel/index.ts';
import { andThen } from './and-then.ts';
import type { BudgetName, Spend } from './budgets.ts';
import { CallMaker } from './call-maker.ts';
import { type EffectKey, KeyMoved, recordedOutput } from './effect-key.ts';
import { parseInput } from './middleware/check-schema.ts';
import type { DecisionContext, Ruling } from './middleware.ts';
import { PendingCalls } from './pending-calls.ts';
import { recoverIntent } from './recover-intent.ts';
import { lastFact, type RunState } from './run-state.ts';
import { ONE_CALL, type SessionCore } from './session-core.ts';
import { type CallFacts, callCompleted, callIntended, callRefused, spendOf } from './step-events.ts';
import { hasEffects, mayRepeat, needsIntent, type Tool, type ToolRegistry } from './tool.ts';
import type { CallTool, OpenIntent } from './types.ts';

const MOST_REPEATS = 2;

type CalledTool = ReturnType<ToolRegistry['forCall']>;

interface Approval {
  readonly id: string;
  readonly argumentsHash: string;
}

export class ToolSteps {
  readonly #core: SessionCore;
  readonly #run: RunState;
  readonly #pending: PendingCalls;
  readonly #calls: CallMaker;

  constructor(core: SessionCore) {
    this.#core = core;
    this.#run = core.run;
    this.#pending = new PendingCalls(core, (call, failure, facts) => this.#refuse(call, failure, facts));
    this.#calls = new CallMaker(core, this.#pending);
  }

  /** Records the outcome that a timer, an event or the last child has brought. */
  settlePending(): Promise<void> {
    return this.#pending.settle();
  }

  /** Settles an intent that a crash has left without outcome. */
  recover(intent: OpenIntent): Promise<void> {
    return recoverIntent(this.#core, this.#calls, intent);
  }

  // The steps of a call wait only where they must: a call that needs nobody else's word is one wait, for its commit.

  call(proposed: CallTool, approval?: Approval): Promise<void> {
    const tool = this.#core.parts.tools.get(proposed.tool);
    const need = tool?.spends === undefined ? ONE_CALL : this.#needOf(tool.spends);
    const missing = this.#core.desk.setAside(need);
    if (missing === undefined) return this.#read(proposed, tool, approval);
    return andThen(missing, (short) =>
      short === undefined ? this.#read(proposed, tool, approval) : this.#core.park(short, spendOf(proposed)),
    ) as Promise<void>;
  }

  /** Reads the input with the tool's schema. What a person approved was read before it was shown; it runs as shown. */
  #read(proposed: CallTool, tool: Tool | undefined, approval: Approval | undefined): Promise<void> {
    let parsed: unknown;
    try {
      if (tool === undefined) this.#core.parts.tools.require(proposed.tool);
      parsed =
        tool === undefined || approval !== undefined
          ? proposed.input
          : parseInput(tool.input, tool.name, proposed.input);
    } catch (error) {
      return this.#refuseInput(proposed, approval, error);
    }
    if (!(parsed instanceof Promise)) return this.#prepare(proposed, parsed, tool, approval);
    return parsed.then(
      (input) => this.#prepare(proposed, input, tool, approval),
      (error: unknown) => this.#refuseInput(proposed, approval, error),
    );
  }

  #refuseInput(proposed: CallTool, approval: Approval | undefined, error: unknown): Promise<void> {
    const failure = toFailure(error, 'engine.tool_input_invalid');
    return this.#refuse(proposed, failure, { approval: approval?.id });
  }

  #prepare(
    proposed: CallTool,
    input: unknown,
    tool: Tool | undefined,
    approval: Approval | undefined,
  ): Promise<void> {
    const call = { ...proposed, input: deepFreeze(input as Json) };
    if (this.#repeatsTooOften(call)) return this.#failRepeated(call);
    const { desk, parts } = this.#core;
    const called = tool && parts.tools.forCall(tool, call.input);
    if (desk.account.shared && called && mayRepeat(called.tool))
      return desk.setAsideRetries().then(() => this.#rule(call, called, approval));
    return this.#rule(call, called, approval);
  }

  #rule(call: CallTool, called: CalledTool | undefined, approval: Approval | undefined): Promise<void> {
    const notes: DecisionContext['notes'] = {};
    const ruled = this.#core.rule(call, { notes, tool: called?.face, approval });
    return andThen(ruled, (ruling) => {
      const facts: CallFacts = { step: this.#run.step, policy: notes.policy, approval: approval?.id };
      return this.#follow(ruling, call, called?.tool as Tool, facts);
    }) as Promise<void>;
  }

  #follow(ruling: Ruling, call: CallTool, tool: Tool, facts: CallFacts): Promise<void> {
    if (ruling.kind === 'refuse') return this.#refuse(call, ruling.failure, facts);
    // A simulation asks nobody; what would need a person is told, not done.
    const { simulate } = this.#core.parts;
    const pretend = ruling.kind === 'park' && simulate && ruling.waiting.for === 'approval';
    if (ruling.kind === 'park' && !pretend) {
      const asking = ruling.waiting.for === 'approval' ? { call, tool } : undefined;
      return this.#core.park(ruling.waiting, spendOf(call), asking);
    }
    const plainly = call.idempotencyKey === undefined && !needsIntent(tool);
    return plainly ? this.#look(call, tool, facts, pretend) : this.#act(call, tool, facts, pretend);
  }

  /** A call that changes nothing and has no key: it is made, and its outcome recorded. */
  #look(call: CallTool, tool: Tool, facts: CallFacts, pretend: boolean): Promise<void> {
    const key = `${this.#run.lineage.origin}/${facts.step}`;
    const progress = this.#calls.start(call, tool, key, facts.step);
    return this.#calls.perform(progress, hasEffects(tool), pretend, (outcome) => {
      // A reading call that was cut off left nothing behind; it is simply made again later.
      if (this.#core.stop.stopped && outcome.kind === 'failure') return undefined;
      return this.#calls.record(call, progress, outcome, facts);
    }) as Promise<void>;
  }

  /** What is set aside before a call that draws on more budgets than its own. */
  #needOf(spends: Spend): Spend {
    const least = this.#core.desk.leastForModels() ?? {};
    const need: { [name in BudgetName]?: number } = { ...ONE_CALL, ...spends };
    for (const key in least) {
      const name = key as BudgetName;
      if (name in spends || name === 'cost_usd') need[name] = Math.max(need[name] ?? 0, least[name] ?? 0);
    }
    return need;
  }

  /** A call with an effect or a key: the intent is on record before it, and the key is looked up. */
  async #act(call: CallTool, tool: Tool, facts: CallFacts, pretend: boolean): Promise<void> {
    const { writer, stop } = this.#core;
    const key = call.idempotencyKey ?? `${this.#run.lineage.origin}/${facts.step}`;
    const progress = this.#calls.start(call, tool, key, facts.step);
    const effect = call.idempotencyKey === undefined ? undefined : await this.#lookUpKey(call, facts);
    if (effect === 'settled') return;
    const intended = needsIntent(tool);
    if (intended) {
      let preimage: Json | undefined;
      try {
        preimage = plain(await tool.preimage?.(call.input, progress.context));
      } catch (error) {
        return this.#refuse(call, toFailure(error, 'engine.tool_failed'), facts);
      }
      try {
        const intent = callIntended(this.#run, call, facts, { key, preimage });
        await writer.commit([intent], 'full', effect?.claim);
      } catch (error) {
        // Planned anew, the call meets what the other has recorded.
        if (error instanceof KeyMoved) return;
        throw error;
      }
    }
    const performed = this.#calls.perform(progress, hasEffects(tool), pretend, (came) => came);
    const outcome = performed instanceof Promise ? await performed : performed;
    // A reading call that was cut off left nothing behind; it is simply made again later.
    if (stop.stopped && outcome.kind === 'failure' && !intended) return;
    await this.#calls.record(call, progress, outcome, facts, effect);
  }

  /** Looks up what became of an effect with a key of its own; one that is recorded is taken over and not done again. */
  async #lookUpKey(call: CallTool, facts: CallFacts): Promise<EffectKey | 'settled' | undefined> {
    const { parts, writer } = this.#core;
    if (parts.simulate) return undefined;
    try {
      const effect = await this.#calls.keyOf(call, facts.step);
      const place = effect.recorded();
      if (place === undefined) return effect;
      const output = await recordedOutput(parts.events, place);
      if (output === undefined) {
        const message = `what run ${place.run} did under this idempotency key was erased; give the call another key.`;
        await this.#refuse(call, { code: 'engine.key_reused', message }, facts);
        return 'settled';
      }
      const to = call.then === undefined ? undefined : await this.#core.agreed(call.then);
      const made = { to, attempts: 0, reused: { run: place.run, step: place.step } };
      await writer.commit(
        [callCompleted(this.#run, call, facts, { kind: 'output', output }, made)],
        'normal',
      );
    } catch (error) {
      if (!isOkaError(error, 'engine.key_reused') && !isOkaError(error, 'engine.effect_under_way'))
        throw error;
      await this.#refuse(call, toFailure(error, error.code), facts);
    }
    return 'settled';
  }

  async #refuse(call: CallTool, failure: Failure, facts: Omit<CallFacts, 'step'>): Promise<void> {
    if (this.#repeatsTooOften(call, failure)) return this.#failRepeated(call);
    await this.#core.writer.commit([callRefused(this.#run, call, failure, facts)], 'normal');
  }

  /** Puts on record that a person has denied a call, for the planner to go on from. */
  recordDenial(call: CallTool, approval: string): Promise<void> {
    const message = `a person denied ${call.tool} with these arguments; it may not be done.`;
    return this.#refuse(call, { code: 'engine.approval_denied', message }, { approval });
  }

  // --- calls that lead nowhere ---

  #repeatsTooOften(call: CallTool, failure?: Failure): boolean {
    if (this.#run.repeats < MOST_REPEATS || this.#core.graph.spec.repeats) return false;
    const last = lastFact(this.#run);
    return (
      last?.source === 'tool' &&
      last.tool === call.tool &&
      (failure === undefined || last.failure?.code === failure.code) &&
      canonicalJson(last.input ?? null) === canonicalJson(call.input)
    );
  }

  #failRepeated(call: CallTool): Promise<void> {
    const message = `${call.tool} was called ${MOST_REPEATS} times with the same input and the same result, and the planner wants it again; it would not end.`;
    const spend = spendOf(call);
    return this.#core.fail({ code: 'engine.repeated_call', message }, call.rationale, { spend });
  }
}

function plain(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : (JSON.parse(canonicalJson(value)) as Json);
}
