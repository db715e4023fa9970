import { type Digest, deepFreeze, digestOfJson, type JsonObject, OkaError } from '../kernel/index.ts';
import type { BudgetLimits } from './budgets.ts';
import type { SideEffect, ToolFace } from './tool.ts';

/** Which tools a state may call. Nothing is eligible unless it is named or its class is. */
export interface Eligibility {
  readonly names?: readonly string[];
  readonly sideEffects?: readonly SideEffect[];
}

export interface StateSpec {
  /** The states that may follow. */
  readonly to?: readonly string[];
  readonly tools?: Eligibility;
  /** `always`: every tool call here needs a person, whatever policy says. */
  readonly approval?: 'always' | 'policy';
  /** Tighter caps for one stay in this state. */
  readonly budgets?: BudgetLimits;
  readonly terminal?: 'completed' | 'failed';
}

/** States and the ways between them: structure without behaviour. */
export interface StateGraphSpec {
  readonly name: string;
  readonly start: string;
  /** Nothing is done in the start, which has one way out: a run that begins has taken it. */
  readonly passesStart?: true;
  readonly states: Readonly<Record<string, StateSpec>>;
  /** True where equal calls with equal results may follow each other, because something else bounds them. */
  readonly repeats?: true;
  /** What the planner of this graph knows of it; the engine only keeps it and pins runs to it. */
  readonly definition?: JsonObject;
}

/** A state graph that was checked, with the hash that runs are pinned to. */
export class StateGraph {
  readonly spec: StateGraphSpec;
  readonly failedState: string | undefined;
  #hash: Digest | undefined;

  /** Keeps a copy of the spec, or the very one where nobody else has it; one that was checked before need not be again. */
  constructor(
    spec: StateGraphSpec,
    { copy = true, check = true }: { readonly copy?: boolean; readonly check?: boolean } = {},
  ) {
    const problem = check ? findProblem(spec) : undefined;
    if (problem)
      throw new OkaError('engine.invalid_graph', `${spec.name}: ${problem}.`, { data: { graph: spec.name } });
    this.spec = deepFreeze(copy ? structuredClone(spec) : spec);
    this.failedState = Object.keys(spec.states).find((name) => spec.states[name]?.terminal === 'failed');
    Object.freeze(this);
  }

  /** What runs are pinned to. */
  get hash(): Digest {
    this.#hash ??= digestOfJson(this.spec as unknown as JsonObject);
    return this.#hash;
  }

  state(name: string): StateSpec {
    const state = this.spec.states[name];
    if (!state) throw new OkaError('engine.invalid_graph', `${this.spec.name} has no state "${name}".`);
    return state;
  }

  /** The state behind the start, where runs begin at once; undefined when they begin in the start. */
  get behindStart(): string | undefined {
    return this.spec.passesStart ? this.spec.states[this.spec.start]?.to?.[0] : undefined;
  }

  allows(from: string, to: string): boolean {
    return this.spec.states[from]?.to?.includes(to) ?? false;
  }

  isTerminal(name: string): boolean {
    return this.spec.states[name]?.terminal !== undefined;
  }

  /** The completed state that a run may finish into from here, if any. */
  finishFrom(state: string): string | undefined {
    const { states } = this.spec;
    return states[state]?.to?.find((target) => states[target]?.terminal === 'completed');
  }

  eligible(state: string, tool: ToolFace): boolean {
    const tools = this.spec.states[state]?.tools;
    if (!tools) return false;
    return (
      (tools.names?.includes(tool.name) ?? false) || (tools.sideEffects?.includes(tool.sideEffect) ?? false)
    );
  }
}

function findProblem(spec: StateGraphSpec): string | undefined {
  const names = Object.keys(spec.states);
  if (!spec.states[spec.start]) return `the start state "${spec.start}" does not exist`;
  if (spec.passesStart && spec.states[spec.start]?.to?.length !== 1)
    return `the start state "${spec.start}" is passed, so it needs exactly one way out`;
  if (!names.some((name) => spec.states[name]?.terminal === 'completed')) return 'no state completes a run';
  for (const name of names) {
    const state = spec.states[name] as StateSpec;
    if (state.terminal && (state.to?.length ?? 0) > 0) return `the terminal state "${name}" has a way out`;
    if (!state.terminal && (state.to?.length ?? 0) === 0)
      return `the state "${name}" has no way out and is not terminal`;
    const unknown = state.to?.find((target) => !spec.states[target]);
    if (unknown !== undefined) return `"${name}" leads to "${unknown}", which does not exist`;
  }
  const reached = new Set([spec.start]);
  for (const name of reached) for (const target of spec.states[name]?.to ?? []) reached.add(target);
  const stranded = names.find((name) => !reached.has(name) && spec.states[name]?.terminal !== 'failed');
  if (stranded !== undefined) return `the state "${stranded}" cannot be reached`;
  return undefined;
}

const READ: Eligibility = { sideEffects: ['read'] };

/** intake → explore → decide → act → validate → done, as every agent run walks it. Failing is possible anywhere. */
export const CANONICAL_GRAPH = new StateGraph({
  name: 'canonical',
  start: 'intake',
  states: {
    intake: { to: ['explore'] },
    explore: { to: ['decide'], tools: READ },
    decide: { to: ['act', 'explore', 'done'], tools: READ },
    act: { to: ['validate'], tools: { sideEffects: ['write_local', 'external_mutation'] } },
    validate: { to: ['done', 'explore'], tools: READ },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});
