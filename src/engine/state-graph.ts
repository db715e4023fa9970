import { type Digest, deepFreeze, digestOfJson, type JsonObject, OkaError } from '../kernel/index.ts';
import type { BudgetLimits } from './budgets.ts';
import type { SideEffect, ToolFace } from './tool.ts';

/** The tools that a state may call. A tool is eligible only if its name or class is listed. */
export interface Eligibility {
  readonly names?: readonly string[];
  readonly sideEffects?: readonly SideEffect[];
}

export interface StateSpec {
  /** The states that may follow. */
  readonly to?: readonly string[];
  readonly tools?: Eligibility;
  /** `always`: every tool call here needs approval, whatever the policy says. */
  readonly approval?: 'always' | 'policy';
  /** Tighter limits for one visit to this state. */
  readonly budgets?: BudgetLimits;
  readonly terminal?: 'completed' | 'failed';
}

/** States and the edges between them. */
export interface StateGraphSpec {
  readonly name: string;
  readonly start: string;
  /** The start state does nothing and has one edge, so a new run begins after it. */
  readonly passesStart?: true;
  readonly states: Readonly<Record<string, StateSpec>>;
  /** True when equal calls with equal results may repeat, because something else limits them. */
  readonly repeats?: true;
  /** Planner data of this graph; the engine only stores it and pins runs to it. */
  readonly definition?: JsonObject;
}

/** A validated state graph with the hash that runs are pinned to. */
export class StateGraph {
  readonly spec: StateGraphSpec;
  readonly failedState: string | undefined;
  #hash: Digest | undefined;

  /** Copies and validates the spec unless the options say otherwise. */
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

  /** The hash that runs are pinned to. */
  get hash(): Digest {
    this.#hash ??= digestOfJson(this.spec as unknown as JsonObject);
    return this.#hash;
  }

  state(name: string): StateSpec {
    const state = this.spec.states[name];
    if (!state) throw new OkaError('engine.invalid_graph', `${this.spec.name} has no state "${name}".`);
    return state;
  }

  /** The state after a skipped start, where runs begin; undefined when they begin in the start. */
  get stateAfterStart(): string | undefined {
    return this.spec.passesStart ? this.spec.states[this.spec.start]?.to?.[0] : undefined;
  }

  allows(from: string, to: string): boolean {
    return this.spec.states[from]?.to?.includes(to) ?? false;
  }

  isTerminal(name: string): boolean {
    return this.spec.states[name]?.terminal !== undefined;
  }

  /** The completed state that a run can finish into from here, if any. */
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
    return `the start state "${spec.start}" is skipped, so it needs exactly one outgoing edge`;
  if (!names.some((name) => spec.states[name]?.terminal === 'completed')) return 'no state completes a run';
  for (const name of names) {
    const state = spec.states[name] as StateSpec;
    if (state.terminal && (state.to?.length ?? 0) > 0)
      return `the terminal state "${name}" has an outgoing edge`;
    if (!state.terminal && (state.to?.length ?? 0) === 0)
      return `the state "${name}" has no outgoing edge and is not terminal`;
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

/** intake → explore → decide → act → validate → done, the graph of agent runs. A run can fail in any state. */
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
