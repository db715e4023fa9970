import { expect, test } from 'vitest';
import type { LedgerEvent } from './events.ts';
import { touches } from './live-updates.ts';

const event = (type: string, of: Partial<LedgerEvent> = {}): LedgerEvent => ({
  position: 1,
  stream: 'run/r1',
  type,
  at: 0,
  data: {},
  ...of,
});
const ofRun = (run: string): unknown[] => ['/v1/runs/{run}/explain', { params: { path: { run } } }];

test('an event of a run touches lists of runs and not schedules', () => {
  expect(touches(event('run.completed'), ['/v1/runs', { params: { query: { limit: 1 } } }])).toBe(true);
  expect(touches(event('run.completed'), ['/v1/schedules'])).toBe(false);
});

test('a read of one run is touched by events of its tree only', () => {
  expect(touches(event('tool.completed', { run: 'child', root: 'r1' }), ofRun('r1'))).toBe(true);
  expect(touches(event('tool.completed', { run: 'r2', root: 'r2' }), ofRun('r1'))).toBe(false);
});

test('a run touches the files that it changed, and not those of other runs', () => {
  const changesOf = (run: string): unknown[] => ['/v1/changes', { params: { query: { runs: [run] } } }];
  const completed = event('step.completed', { run: 'r1', root: 'r1' });
  expect(touches(completed, changesOf('r1'))).toBe(true);
  expect(touches(completed, changesOf('r2'))).toBe(false);
});

test('a run can be addressed by the end of its id', () => {
  expect(touches(event('run.failed', { run: '01kgx0v6y8n4c5d6e7f8g9h0jk' }), ofRun('g9h0jk'))).toBe(true);
});

test('an approval touches the approvals and the run that waits', () => {
  const asked = event('approval.requested', { run: 'r1', root: 'r1' });
  expect(touches(asked, ['/v1/approvals', {}])).toBe(true);
  expect(touches(asked, ofRun('r1'))).toBe(true);
});

test('a message touches its conversation only', () => {
  const posted = event('message.posted', { conversation: 'garden' });
  const chat = (conversation: string): unknown[] => [
    '/v1/chats/{conversation}/messages',
    { params: { path: { conversation } } },
  ];
  expect(touches(posted, chat('garden'))).toBe(true);
  expect(touches(posted, chat('kitchen'))).toBe(false);
});

test('a path that is not a route is never touched', () => {
  expect(touches(event('run.started'), ['session'])).toBe(false);
});
