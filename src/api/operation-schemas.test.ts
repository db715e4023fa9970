import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { checkedOka } from './checked-oka.ts';
import type { OkaApi } from './oka-api.ts';
import { checkCall, operationSchemas } from './operation-schemas.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import { packCall } from './wire.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];

test.each(NAMES)(
  '%s has schemas of its input and its answer, from which JSON Schema is generated',
  async (name) => {
    const { input, output } = await operationSchemas(name);
    expect(z.toJSONSchema(input)).toMatchObject({ type: 'object' });
    expect(z.toJSONSchema(output, { unrepresentable: 'any' })).toHaveProperty('$schema');
  },
);

describe('a call', () => {
  const check = (name: OperationName, ...input: unknown[]) => checkCall(name, packCall(input).body);

  test('with valid arguments is accepted, with functions, signals and absent values', async () => {
    const request = { goal: 'go', simulate: false, budgets: { steps: 1 }, patienceMs: 0 };
    const { signal } = new AbortController();
    await check('do', { ...request, agent: undefined, signal, onEvent: () => undefined });
    await check('runs.pause', 'r1', 'me');
    await check('graphs.validate', 'g');
    await check('graphs.render', undefined, { format: 'svg' });
  });

  test.each([
    ['do', 'goal', [{ goal: 7, simulate: false, budgets: {}, patienceMs: 0 }]],
    ['do', 'budgets.steps', [{ goal: 'go', simulate: false, budgets: { steps: 'many' }, patienceMs: 0 }]],
    ['do', 'request', []],
    ['runs.pause', 'by', ['r1']],
    ['runs.pause', 'run', [() => undefined, 'me']],
    ['runs.replay', 'mode', ['r1', 'backwards']],
    ['approvals.approve', 'request.id', [{ by: 'me' }, 0]],
    ['tools.call', 'input', [{ tool: 'files.read', patienceMs: 0 }]],
    ['memory.recordEpisodes', 'episodes.1.text', [[{ text: 'a' }, {}], 'me']],
  ] as const)('of %s that is malformed names the field %s', async (name, field, input) => {
    await expect(check(name, ...input)).rejects.toMatchObject({
      code: 'daemon.bad_call',
      message: expect.stringContaining(field),
      data: { operation: name, field },
    });
  });
});

describe('a checked API', () => {
  const answering = (answer: unknown) =>
    checkedOka({ memory: { days: async () => answer } } as unknown as OkaApi).memory.days(1);

  test('returns an answer that matches its schema', async () => {
    const days = [{ day: '2026-01-31', episodes: 1, runs: 0 }];
    expect(await answering(days)).toBe(days);
  });

  test('throws if a field is missing or unknown', async () => {
    await expect(answering([{ day: '2026-01-31', episodes: 1 }])).rejects.toThrow(/against its schema/);
    await expect(answering([{ day: '2026-01-31', episodes: 1, runs: 0, more: 1 }])).rejects.toThrow(/more/);
  });
});
