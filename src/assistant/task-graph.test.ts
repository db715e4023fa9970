import { describe, expect, it } from 'vitest';
import type { Json } from '../kernel/index.ts';
import { describeCriterion } from './criterion.ts';
import { autonomyAfter, judgeSetback } from './governor.ts';
import { parseTaskGraph, taskGraphJsonSchema } from './task-graph.ts';

function graph(criterion: Json): Json {
  return { goal: 'g', tasks: [{ id: 'a', title: 'do a', depends_on: [], acceptance: [criterion] }] };
}

describe('a task graph', () => {
  const criteria: readonly Json[] = [
    { file_exists: 'a.md' },
    { file_contains: { path: 'a.md', text: 'x' } },
    { file_matches_schema: { path: 'a.json', schema: { type: 'object' } } },
    { json_path_equals: { path: 'a.json', json_path: 'b.0', equals: null } },
    { graph_completed: 'harvest' },
    { no_policy_violation: true },
    { command_exits_zero: { argv: ['make', 'test'] } },
    { judge: 'it reads well' },
    { task_completed: true },
  ];
  it.each(criteria)('accepts the criterion %j and describes it', (criterion) => {
    const parsed = parseTaskGraph(graph(criterion));
    if ('problem' in parsed) throw new Error(parsed.problem);
    const [first] = parsed.graph.tasks[0]?.acceptance ?? [];
    expect(first).toEqual(criterion);
    expect(describeCriterion(first as never)).toMatch(/\w+ \w+/);
  });

  const refused: readonly Json[] = [
    {},
    { file_exists: '' },
    { file_exists: 'a', judge: 'two at once' },
    { command_exits_zero: { argv: [] } },
    { command_exits_zero: 'make test' },
    { no_policy_violation: false },
    { anything: true },
  ];
  it.each(refused)('rejects the criterion %j', (criterion) => {
    expect(parseTaskGraph(graph(criterion))).toHaveProperty('problem');
  });

  it('has a JSON Schema without additional properties at any level', () => {
    const text = JSON.stringify(taskGraphJsonSchema());
    expect(text).toContain('"maxItems":20');
    expect(text.match(/"additionalProperties":false/g)?.length).toBeGreaterThan(10);
  });
});

describe('the governor', () => {
  it('drops one level with every second rejection, down to the lowest', () => {
    expect([0, 1, 2, 3, 4, 9].map((count) => autonomyAfter('autonomous', count))).toEqual([
      'autonomous',
      'autonomous',
      'guided',
      'guided',
      'manual',
      'manual',
    ]);
  });

  it('retries only transient failures, up to the limit', () => {
    const failed = (code: string, attempts = 1) =>
      judgeSetback({ status: 'failed', attempts, failure: { code, message: 'x' } }, 1);
    expect(failed('models.request_failed')).toBe('retry');
    expect(failed('models.request_failed', 2)).toBe('give_up');
    expect(failed('agent.gave_up')).toBe('give_up');
    expect(failed('engine.policy_denied')).toBe('denied');
    expect(failed('engine.budget_exhausted')).toBe('budget');
    expect(judgeSetback({ status: 'cancelled', attempts: 1 }, 1)).toBe('cancelled');
  });
});
