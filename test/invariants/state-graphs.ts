import fc from 'fast-check';
import type { SideEffect, StateGraphSpec, StateSpec } from '../../src/engine/index.ts';

const SIDE_EFFECTS: readonly SideEffect[] = ['read', 'write_local', 'external_mutation'];

/** Names that a lookup by plain key would find on every object are among them. */
const STATE_NAMES = ['start', 'look', 'constructor', 'act', 'toString'] as const;

interface StatePlan {
  readonly ways: readonly number[];
  readonly finishes: boolean;
  readonly names: readonly string[];
  readonly sideEffects: readonly SideEffect[];
  readonly asks: boolean;
  readonly mostCalls: number | undefined;
}

/** A valid graph of one to five working states; each leads on to the next, and at least the last one to an end. */
export function stateGraphs(tools: readonly string[]): fc.Arbitrary<StateGraphSpec> {
  const state: fc.Arbitrary<StatePlan> = fc.record({
    ways: fc.uniqueArray(fc.nat(4), { maxLength: 3 }),
    finishes: fc.boolean(),
    names: fc.subarray([...tools]),
    sideEffects: fc.subarray([...SIDE_EFFECTS]),
    asks: fc.nat(9).map((n) => n === 0),
    mostCalls: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 9 },
      { arbitrary: fc.integer({ min: 1, max: 3 }), weight: 1 },
    ),
  });
  return fc
    .record({
      states: fc.array(state, { minLength: 1, maxLength: STATE_NAMES.length }),
      failing: fc.boolean(),
    })
    .map(({ states, failing }) => toGraph(states, failing));
}

function toGraph(plans: readonly StatePlan[], failing: boolean): StateGraphSpec {
  const states: Record<string, StateSpec> = {};
  plans.forEach((plan, i) => {
    const last = i === plans.length - 1;
    const to = new Set(plan.ways.filter((way) => way < plans.length).map(nameOf));
    if (!last) to.add(nameOf(i + 1));
    if (last || plan.finishes) to.add('done');
    states[nameOf(i)] = {
      to: [...to],
      tools: { names: plan.names, sideEffects: plan.sideEffects },
      ...(plan.asks ? { approval: 'always' as const } : {}),
      ...(plan.mostCalls === undefined ? {} : { budgets: { tool_calls: plan.mostCalls } }),
    };
  });
  states['done'] = { terminal: 'completed' };
  if (failing) states['failed'] = { terminal: 'failed' };
  return { name: 'random', start: nameOf(0), states };
}

function nameOf(i: number): string {
  return STATE_NAMES[i] as string;
}

/** The specification read plainly, without the engine's own reading of it. */
export function isEligible(
  graph: StateGraphSpec,
  state: string,
  tool: { readonly name: string; readonly sideEffect: SideEffect },
): boolean {
  const tools = own(graph, state)?.tools;
  return (
    (tools?.names?.includes(tool.name) ?? false) || (tools?.sideEffects?.includes(tool.sideEffect) ?? false)
  );
}

export function leadsTo(graph: StateGraphSpec, from: string, to: string): boolean {
  return own(graph, from)?.to?.includes(to) ?? false;
}

export function own(graph: StateGraphSpec, state: string): StateSpec | undefined {
  return Object.hasOwn(graph.states, state) ? graph.states[state] : undefined;
}
