import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeTool } from '../../test/support/fake-tool.ts';
import {
  CANONICAL_GRAPH,
  type Decision,
  type Evidence,
  type PlanInput,
  type ToolFace,
} from '../engine/index.ts';
import { agentKind } from './agent-kind.ts';
import { deterministicPlanner } from './deterministic-planner.ts';
import type { Procedure } from './types.ts';

const text = { type: 'string' };
const effect = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  cacheable: false,
  risk: 'low',
} as const;
const TOOLS: readonly ToolFace[] = [
  fakeTool('files.list', { path: text }),
  fakeTool('files.read', { path: text }, ['path']),
  fakeTool('files.search', { query: text, path: text }, ['query']),
  fakeTool('files.write', { path: text, content: text }, ['path', 'content'], {
    annotations: effect,
    sideEffect: 'write_local',
  }),
  fakeTool('files.delete', { path: text }, ['path'], {
    annotations: { ...effect, destructive: true, risk: 'high' },
    sideEffect: 'write_local',
  }),
];

function inputFor(goal: string, state: string, evidence: readonly Evidence[] = []): PlanInput {
  return {
    goal,
    state,
    evidence,
    graph: CANONICAL_GRAPH,
    allTools: TOOLS,
    eligibleTools: TOOLS.filter((tool) => CANONICAL_GRAPH.eligible(state, tool)),
    budgets: {},
    vars: {},
    visit: { count: 1, since: 0, last: -1 },
    latest: {},
    whole: async () => null,
    run: { id: 'run', origin: 'run', step: 1 },
    signal: new AbortController().signal,
  };
}

/** Plays a run without an engine: every tool answers, every question gets `answer`. */
function play(goal: string, answer: string): Decision[] {
  const planner = deterministicPlanner();
  const decisions: Decision[] = [];
  const evidence: Evidence[] = [];
  let state = 'intake';
  for (let step = 1; step <= 40; step++) {
    const decision = planner.plan(inputFor(goal, state, evidence)) as Decision;
    expect(planner.plan(inputFor(goal, state, structuredClone(evidence)))).toEqual(decision);
    decisions.push(decision);
    if (decision.kind === 'finish' || decision.kind === 'fail') return decisions;
    if (decision.kind === 'ask_human') {
      const output = { question: decision.question, answer: decision.options ? 'no' : answer, by: 'person' };
      evidence.push({ step, state, source: 'person', output });
    } else if (decision.kind === 'call_tool') {
      evidence.push({ step, state, source: 'tool', tool: decision.tool, input: decision.input, output: {} });
    }
    const to =
      decision.kind === 'transition'
        ? decision.to
        : decision.kind === 'call_tool'
          ? decision.then
          : undefined;
    if (to !== undefined) {
      expect(CANONICAL_GRAPH.allows(state, to)).toBe(true);
      state = to;
    }
  }
  throw new Error(`"${goal}" does not end: ${JSON.stringify(decisions.at(-1))}`);
}

const WORDS =
  'please read write list delete remove find search for "a b" notes.txt src to in this folder brief summarise 5 the of'.split(
    ' ',
  );
const goals = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' ')),
);

describe('the deterministic planner', () => {
  it('is deterministic, ends, follows the graph, and never runs a destructive call unconfirmed', () => {
    fc.assert(
      fc.property(goals, fc.string({ maxLength: 10 }), (goal, answer) => {
        const decisions = play(goal, answer);
        for (const decision of decisions)
          if (decision.kind === 'call_tool' && decision.tool === 'files.delete')
            expect(decision.confirm).toBe(true);
        expect(decisions.every((decision) => decision.rationale !== '')).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('has a name and a version, for replay and for pins', () => {
    expect(agentKind()).toMatchObject({
      name: 'agent',
      graph: CANONICAL_GRAPH,
      planner: { name: 'agent', version: '3', continues: ['1', '2'], deterministic: true },
    });
  });

  it('follows a procedure whose trigger fits, before any tool, and only with its tools', () => {
    const procedure: Procedure = {
      name: 'greet',
      description: 'Greets.',
      example: 'write a greeting',
      triggers: ['write greeting'],
      tools: ['files.write'],
      parameters: (goal) => (goal.target ? undefined : { name: 'you' }),
      plan: (_, parameters) => ({ kind: 'finish', output: parameters, rationale: 'greeted' }),
    };
    const plan = (goal: string, tools = procedure.tools): Decision =>
      deterministicPlanner({ procedures: [{ ...procedure, tools }] }).plan(
        inputFor(goal, 'decide'),
      ) as Decision;
    expect(plan('write a warm greeting')).toMatchObject({ kind: 'finish', output: { name: 'you' } });
    expect(plan('please write greetings')).toMatchObject({ kind: 'finish' });
    expect(plan('write a greeting to a.txt')).toMatchObject({ kind: 'fail' });
    expect(plan('write to a.txt')).toMatchObject({ kind: 'ask_human' });
    expect(plan('read the greeting I write')).not.toMatchObject({ kind: 'finish' });
    expect(plan('write a greeting', ['absent.tool'])).toMatchObject({ kind: 'fail' });
  });

  it('fails with examples when it does not understand', () => {
    const decision = deterministicPlanner({ procedures: [] }).plan(inputFor('paint files', 'intake'));
    expect(decision).toMatchObject({ kind: 'fail', code: 'agent.goal_not_understood' });
    expect(decision).toMatchObject({
      reason: expect.stringMatching(/was not understood\. .*what can you do.*oka model add/),
    });
  });
});
