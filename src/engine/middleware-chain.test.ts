import { expect, it } from 'vitest';
import type { BuiltInMiddleware, DecisionContext, Ruling, ToolOutcome } from './middleware.ts';
import { MiddlewareChain, type RunnableCall } from './middleware-chain.ts';

const decision = { decision: { kind: 'finish' } } as DecisionContext;
const no: Ruling = { kind: 'refuse', failure: { code: 'test.no', message: 'no' } };

/** Appends its name to the output, synchronously or later. */
function after(name: string, later = false): BuiltInMiddleware {
  const add = (outcome: ToolOutcome): ToolOutcome =>
    outcome.kind === 'output' ? { kind: 'output', output: `${outcome.output} ${name}` } : outcome;
  return { name, afterTool: (_, outcome) => (later ? Promise.resolve(add(outcome)) : add(outcome)) };
}

function around(name: string): BuiltInMiddleware {
  return {
    name,
    onTool: async (_, next) => {
      const outcome = await next();
      return outcome.kind === 'output' ? { kind: 'output', output: `${outcome.output} (${name})` } : outcome;
    },
  };
}

function callThat(runHandler: RunnableCall['runHandler']): RunnableCall {
  return { runHandler } as RunnableCall;
}

const done: ToolOutcome = { kind: 'output', output: 'done' };

it('applies outcome changes from the innermost middleware outwards', async () => {
  for (const later of [false, true]) {
    const chain = new MiddlewareChain([
      after('a'),
      after('b', later),
      around('c'),
      after('d', later),
      after('e'),
    ]);
    const outcome = await chain.call(callThat(async () => done));
    expect(outcome).toEqual({ kind: 'output', output: 'done e d (c) b a' });
  }
});

it('stops after the first refusing check, and treats a throwing one as a refusal', async () => {
  const asked: string[] = [];
  const check = (name: string, answer: () => Ruling | undefined): BuiltInMiddleware => ({
    name,
    checkDecision: () => {
      asked.push(name);
      return answer();
    },
  });
  const passing: BuiltInMiddleware = { name: 'passing', onDecision: (_, next) => next() };
  const last = check('last', () => undefined);
  for (const placed of [[], [passing]]) {
    asked.length = 0;
    const refusing = new MiddlewareChain([
      check('first', () => undefined),
      ...placed,
      check('no', () => no),
      last,
    ]);
    expect(await refusing.decide(decision)).toEqual(no);
    const throwing = new MiddlewareChain([
      ...placed,
      check('throws', () => {
        throw new Error('broken');
      }),
      last,
    ]);
    expect(await throwing.decide(decision)).toMatchObject({ kind: 'refuse', failure: { message: 'broken' } });
    expect(asked).toEqual(['first', 'no', 'throws']);
  }
});

it('rejects middleware that allows a decision without calling the checks after it', async () => {
  const hasty: BuiltInMiddleware = { name: 'hasty', onDecision: () => ({ kind: 'go' }) };
  const chain = new MiddlewareChain([hasty, { name: 'no', checkDecision: () => no }]);
  expect(await chain.decide(decision)).toMatchObject({
    kind: 'refuse',
    failure: { code: 'engine.middleware_violation' },
  });
});

it('accepts middleware that both checks and wraps', async () => {
  const refusing: BuiltInMiddleware = {
    name: 'both',
    checkDecision: () => no,
    onDecision: (_, next) => next(),
  };
  expect(await new MiddlewareChain([refusing]).decide(decision)).toEqual(no);
  const both = { ...around('around'), ...after('after') };
  const outcome = await new MiddlewareChain([both]).call(callThat(async () => done));
  expect(outcome).toEqual({ kind: 'output', output: 'done (around) after' });
});
