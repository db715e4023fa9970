import fc from 'fast-check';
import type { Decision, Evidence, PlanInput, Planner, Spend, Tool } from '../../src/engine/index.ts';
import type { Json, JsonObject } from '../../src/kernel/index.ts';

/** A state as a script names it: a working state or any state that follows this one, any of the graph, or none at all. */
export type StateChoice =
  | { readonly onward: number }
  | { readonly neighbour: number }
  | { readonly any: number }
  | { readonly named: string };

/** What is given to a tool; `fresh` differs from step to step, so that a run does not repeat itself. */
export type InputChoice = 'fresh' | 'same' | 'same in another order' | 'text' | 'nothing' | 'list';

export interface ChildChoice {
  readonly script: number;
  readonly budgets: Readonly<Record<string, number>> | undefined;
}

/** One answer of a planner. */
export type Move =
  | {
      readonly do: 'call';
      readonly tool: number;
      readonly eligible: boolean;
      readonly input: InputChoice;
      readonly then?: StateChoice;
    }
  | { readonly do: 'go'; readonly to: StateChoice }
  | { readonly do: 'ask'; readonly offers: boolean }
  | { readonly do: 'finish' }
  | { readonly do: 'fail' }
  | { readonly do: 'throw' }
  | {
      readonly do: 'children';
      readonly children: readonly ChildChoice[];
      readonly concurrency: number;
      readonly onError: 'fail' | 'skip' | 'collect';
    }
  | { readonly do: 'answer garbage'; readonly garbage: Garbage; readonly repaired: boolean }
  | { readonly do: 'tamper'; readonly how: Tampering; readonly tool: number };

export const GARBAGE = [
  'undefined',
  'null',
  'a number',
  'an empty object',
  'no rationale',
  'an unknown kind',
  'a tool that is no name',
  'no input',
  'a bigint as input',
  'a cycle as input',
  'a function as input',
  'NaN as input',
  'half a character as rationale',
  'a very long rationale',
  'a number as next state',
  'a question that is no text',
  'options that are no list',
  'options that are no texts',
  'an expiry that is no number',
  'NaN as output',
  'an instance as output',
  'a cycle as output',
  'a reason that is no text',
  'a code that is no text',
  'a key that is no text',
  'a spend that refunds',
  'a spend of NaN',
  'a getter that throws',
  'a rejection with a bare object',
] as const;
export type Garbage = (typeof GARBAGE)[number];

export const TAMPERINGS = [
  'widen the graph',
  'soften the tools',
  'rewrite evidence',
  'rewrite vars',
  'call a handler',
] as const;
export type Tampering = (typeof TAMPERINGS)[number];

export type Script = readonly Move[];

export interface PlannerPlan {
  /** The first is the root's; children are given one by number. */
  readonly scripts: readonly Script[];
  /** What each answer costs in money; 0 is a planner without a model. */
  readonly costUsd: number;
  /** What it says beforehand about that. */
  readonly estimates: 'right' | 'too little' | 'not at all';
}

const stateChoices: fc.Arbitrary<StateChoice> = fc.oneof(
  { arbitrary: fc.record({ onward: fc.nat(4) }), weight: 12 },
  { arbitrary: fc.record({ neighbour: fc.nat(4) }), weight: 2 },
  { arbitrary: fc.record({ any: fc.nat(6) }), weight: 1 },
  { arbitrary: fc.constantFrom({ named: 'nowhere' }, { named: '__proto__' }, { named: 'done' }), weight: 1 },
);

const inputs = fc.constantFrom<InputChoice>(
  'fresh',
  'fresh',
  'fresh',
  'same',
  'same in another order',
  'text',
  'nothing',
  'list',
);

const calls: fc.Arbitrary<Move> = fc.record(
  {
    do: fc.constant('call' as const),
    tool: fc.nat(6),
    eligible: fc.nat(4).map((n) => n > 0),
    input: inputs,
    then: stateChoices,
  },
  { requiredKeys: ['do', 'tool', 'eligible', 'input'] },
);

const children: fc.Arbitrary<Move> = fc.record({
  do: fc.constant('children' as const),
  children: fc.array(
    fc.record({
      script: fc.nat(2),
      budgets: fc.option(
        fc.record({ steps: fc.nat(6), children: fc.nat(2), tool_calls: fc.nat(6) }, { requiredKeys: [] }),
        { nil: undefined, freq: 2 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  concurrency: fc.integer({ min: 1, max: 3 }),
  onError: fc.constantFrom('fail' as const, 'skip' as const, 'collect' as const),
});

export type MoveKind = 'work' | 'people' | 'children' | 'garbage' | 'tamper' | 'end';

const MOVES: Readonly<Record<MoveKind, { readonly arbitrary: fc.Arbitrary<Move>; readonly weight: number }>> =
  {
    work: {
      arbitrary: fc.oneof(
        { arbitrary: calls, weight: 5 },
        { arbitrary: fc.record({ do: fc.constant('go' as const), to: stateChoices }), weight: 2 },
      ),
      weight: 12,
    },
    people: { arbitrary: fc.record({ do: fc.constant('ask' as const), offers: fc.boolean() }), weight: 1 },
    children: { arbitrary: children, weight: 3 },
    garbage: {
      arbitrary: fc.record({
        do: fc.constant('answer garbage' as const),
        garbage: fc.constantFrom(...GARBAGE),
        repaired: fc.boolean(),
      }),
      weight: 2,
    },
    tamper: {
      arbitrary: fc.record({
        do: fc.constant('tamper' as const),
        how: fc.constantFrom(...TAMPERINGS),
        tool: fc.nat(6),
      }),
      weight: 3,
    },
    end: {
      arbitrary: fc.constantFrom<Move>({ do: 'finish' }, { do: 'finish' }, { do: 'fail' }, { do: 'throw' }),
      weight: 1,
    },
  };

export function plannerPlans(
  kinds: readonly MoveKind[],
  options: { readonly costs?: boolean } = {},
): fc.Arbitrary<PlannerPlan> {
  const script = fc.array(fc.oneof(...kinds.map((kind) => MOVES[kind])), { minLength: 1, maxLength: 8 });
  return fc.record({
    scripts: fc.array(script, { minLength: 1, maxLength: 3 }),
    costUsd: options.costs ? fc.constantFrom(0, 1) : fc.constant(0),
    estimates: fc.constant('right' as const),
  });
}

export const CHILDREN_TOOL = 'run.children';

/** A pure function of its input: the script's move for the number of the step, round and round. */
export function makePlanner(
  plan: PlannerPlan,
  note: (input: PlanInput, costUsd: number) => void = () => undefined,
): Planner {
  const decide = (input: PlanInput): Decision => {
    const script = plan.scripts[Number(input.vars['script'] ?? 0) % plan.scripts.length] as Script;
    const move = script[(input.run.step - 1) % script.length] as Move;
    return toDecision(move, input);
  };
  const priced = plan.costUsd > 0;
  return {
    name: 'script',
    version: '1',
    deterministic: true,
    plan(input) {
      note(input, plan.costUsd);
      const decision = decide(input);
      if (!priced || decision === null || typeof decision !== 'object' || 'model' in decision)
        return decision;
      return Object.assign(decision, { model: modelUse({ model_calls: 1, cost_usd: plan.costUsd }) });
    },
    ...(priced && plan.estimates !== 'not at all' ? { estimate: () => estimateOf(plan) } : {}),
  };
}

function estimateOf(plan: PlannerPlan): Spend {
  return plan.estimates === 'right'
    ? { model_calls: 1, cost_usd: plan.costUsd }
    : { model_calls: 0, cost_usd: 0 };
}

function modelUse(spend: object): NonNullable<Decision['model']> {
  return { provider: 'none', model: 'none', requestDigest: '0'.repeat(64), spend } as NonNullable<
    Decision['model']
  >;
}

function toDecision(move: Move, input: PlanInput): Decision {
  switch (move.do) {
    case 'call': {
      const tool = chooseTool(move.tool, move.eligible, input);
      const then = move.then && chooseState(move.then, input);
      return {
        kind: 'call_tool',
        tool,
        input: chooseInput(move.input, input),
        rationale: 'as scripted',
        ...(then === undefined ? {} : { then }),
      };
    }
    case 'go': {
      const to = chooseState(move.to, input);
      const ends = 'onward' in move.to && input.graph.spec.states[to]?.terminal !== undefined;
      if (ends) return { kind: 'finish', output: 'nowhere else to go', rationale: 'as scripted' };
      return { kind: 'transition', to, rationale: 'as scripted' };
    }
    case 'ask':
      return {
        kind: 'ask_human',
        question: `what now at step ${input.run.step}?`,
        rationale: 'as scripted',
        ...(move.offers ? { options: ['left', 'right'] } : {}),
      };
    case 'finish':
      return { kind: 'finish', output: { steps: input.run.step }, rationale: 'as scripted' };
    case 'fail':
      return { kind: 'fail', reason: 'gives up as scripted', rationale: 'as scripted' };
    case 'throw':
      throw new Error('the planner breaks as scripted');
    case 'children':
      return {
        kind: 'call_tool',
        tool: CHILDREN_TOOL,
        input: {
          children: move.children.map(toChild),
          concurrency: move.concurrency,
          onError: move.onError,
          step: input.run.step,
        },
        rationale: 'as scripted',
      };
    case 'answer garbage':
      if (move.repaired && input.repair !== undefined)
        return { kind: 'finish', output: 'repaired', rationale: 'once more' };
      return garbageDecision(move.garbage);
    case 'tamper':
      return tamper(move.how, move.tool, input);
  }
}

function toChild(child: ChildChoice): JsonObject {
  return {
    kind: 'script',
    goal: 'a part of the goal',
    vars: { script: child.script },
    ...(child.budgets === undefined ? {} : { budgets: { ...child.budgets } }),
  };
}

function chooseTool(number: number, eligible: boolean, input: PlanInput): string {
  const among = eligible && input.eligibleTools.length > 0 ? input.eligibleTools : input.allTools;
  return among[number % (among.length + (eligible ? 0 : 1))]?.name ?? 'nothing';
}

function chooseState(choice: StateChoice, input: PlanInput): string {
  if ('named' in choice) return choice.named;
  const { states } = input.graph.spec;
  const ways = states[input.state]?.to ?? [];
  const pick = (names: readonly string[], number: number): string =>
    names[number % Math.max(1, names.length)] ?? 'nowhere';
  if ('any' in choice) return pick(Object.keys(states), choice.any);
  if ('neighbour' in choice) return pick(ways, choice.neighbour);
  const onward = ways.filter((name) => states[name]?.terminal === undefined);
  return pick(onward.length > 0 ? onward : ways, choice.onward);
}

function chooseInput(choice: InputChoice, input: PlanInput): Json {
  switch (choice) {
    case 'fresh':
      return { step: input.run.step };
    case 'same':
      return { a: 1, b: { c: [1, 2] } };
    case 'same in another order':
      return { b: { c: [1, 2] }, a: 1 };
    case 'text':
      return `at step ${input.run.step}`;
    case 'nothing':
      return null;
    case 'list':
      return [1, 'two', null];
  }
}

function garbageDecision(garbage: Garbage): Decision {
  const rationale = 'garbage';
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const decisions: Readonly<Record<Garbage, unknown>> = {
    undefined: undefined,
    null: null,
    'a number': 7,
    'an empty object': {},
    'no rationale': { kind: 'finish', output: 1 },
    'an unknown kind': { kind: 'dance', rationale },
    'a tool that is no name': { kind: 'call_tool', tool: 5, input: {}, rationale },
    'no input': { kind: 'call_tool', tool: 'tool.a', rationale },
    'a bigint as input': { kind: 'call_tool', tool: 'tool.a', input: { count: 1n }, rationale },
    'a cycle as input': { kind: 'call_tool', tool: 'tool.a', input: cycle, rationale },
    'a function as input': { kind: 'call_tool', tool: 'tool.a', input: () => 1, rationale },
    'NaN as input': { kind: 'call_tool', tool: 'tool.a', input: { count: Number.NaN }, rationale },
    'half a character as rationale': { kind: 'finish', output: 1, rationale: '\ud83d' },
    'a very long rationale': { kind: 'finish', output: 1, rationale: 'x'.repeat(30_000) },
    'a number as next state': { kind: 'call_tool', tool: 'tool.a', input: {}, then: 5, rationale },
    'a question that is no text': { kind: 'ask_human', question: 5, rationale },
    'options that are no list': { kind: 'ask_human', question: 'which?', options: 5, rationale },
    'options that are no texts': { kind: 'ask_human', question: 'which?', options: [{}], rationale },
    'an expiry that is no number': {
      kind: 'ask_human',
      question: 'which?',
      expiresInMs: Number.NaN,
      rationale,
    },
    'NaN as output': { kind: 'finish', output: { count: Number.NaN }, rationale },
    'an instance as output': { kind: 'finish', output: new Map(), rationale },
    'a cycle as output': { kind: 'finish', output: cycle, rationale },
    'a reason that is no text': { kind: 'fail', reason: 5, rationale },
    'a code that is no text': { kind: 'fail', reason: 'odd', code: { odd: 1n }, rationale },
    'a key that is no text': { kind: 'call_tool', tool: 'tool.a', input: {}, idempotencyKey: 1n, rationale },
    'a spend that refunds': {
      kind: 'call_tool',
      tool: 'tool.a',
      input: {},
      rationale,
      model: modelUse({ steps: -50, tool_calls: -50 }),
    },
    'a spend of NaN': {
      kind: 'call_tool',
      tool: 'tool.a',
      input: {},
      rationale,
      model: modelUse({ cost_usd: Number.NaN }),
    },
    'a getter that throws': {
      rationale,
      get kind() {
        throw new Error('not to be read');
      },
    },
    'a rejection with a bare object': undefined,
  };
  if (garbage === 'a rejection with a bare object') return Promise.reject(Object.create(null)) as never;
  return decisions[garbage] as Decision;
}

/** Does something that a planner must not do, then calls the tool it did it for. */
function tamper(how: Tampering, number: number, input: PlanInput): Decision {
  const tool = input.allTools[number % input.allTools.length] as Tool;
  try {
    switch (how) {
      case 'widen the graph': {
        const state = input.graph.spec.states[input.state] as { tools?: unknown; to?: unknown };
        state.tools = { sideEffects: ['read', 'write_local', 'external_mutation'] };
        state.to = Object.keys(input.graph.spec.states);
        break;
      }
      case 'soften the tools':
        Object.assign(tool.annotations, {
          risk: 'none',
          destructive: false,
          idempotent: true,
          readOnly: true,
          cacheable: true,
        });
        Object.assign(tool, { sideEffect: 'read' });
        break;
      case 'rewrite evidence':
        for (const fact of input.evidence) Object.assign(fact, { output: 'rewritten' });
        (input.evidence as Evidence[]).length = 0;
        break;
      case 'rewrite vars':
        Object.assign(input.vars, { script: 1, rewritten: true });
        break;
      case 'call a handler':
        void callHandler(tool, input.run.id);
        break;
    }
  } catch {
    // Being stopped is what a planner like this deserves; it goes on as if nothing had happened.
  }
  return { kind: 'call_tool', tool: tool.name, input: { step: input.run.step }, rationale: 'as scripted' };
}

/** Calls a handler past the engine, if there is one to be had. */
export function callHandler(tool: Partial<Tool> | undefined, run: string): unknown {
  const context = {
    runId: run,
    step: 0,
    idempotencyKey: 'none',
    capabilities: {},
    signal: new AbortController().signal,
  };
  try {
    const answer = tool?.handler?.({ past: 'the engine' }, context as never);
    return answer instanceof Promise ? answer.catch(() => undefined) : answer;
  } catch {
    return undefined;
  }
}
