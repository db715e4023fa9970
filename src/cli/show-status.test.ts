import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { Context } from './context.ts';
import { type AgentState, showStatus } from './show-status.ts';

function agentsLine(...agents: readonly AgentState[]): string {
  const facts = {
    folder: 'garden',
    now: Date.UTC(2026, 10, 17, 14),
    running: [],
    waiting: [],
    parked: [],
    interrupted: [],
    schedules: [],
  };
  const text = showStatus({ ...facts, agents }, new Context({}, '.').printer.dataColors);
  return stripVTControlCharacters(text.split('\n').find((line) => line.includes('agents')) ?? '');
}

test('shows where agents answer, until when they wait for their model, and their own processes', () => {
  const waitsUntil = Date.UTC(2026, 10, 17, 14, 30);
  expect(agentsLine({ name: 'ada' }, { name: 'bob', conversation: 'plans' })).toMatch(
    / 2 {3}ada · bob answering in plans$/,
  );
  expect(agentsLine({ name: 'cid', conversation: 'plans', waitsUntil, pid: 7 })).toMatch(
    / 1 {3}cid waiting until .+ in plans \(process 7\)$/,
  );
});
