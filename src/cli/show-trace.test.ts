import { expect, test } from 'vitest';
import type { NotificationView } from '../api/index.ts';
import { showTrace } from './show-trace.ts';

const options = { all: false, conversation: 'garden' };

/** A chain in which ann and bob mention each other. */
function chain(length: number): NotificationView[] {
  return Array.from({ length }, (_, i) => ({
    id: `garden/${i}/${i % 2 === 0 ? 'ann' : 'bob'}`,
    message: i,
    agent: i % 2 === 0 ? 'ann' : 'bob',
    from: i === 0 ? 'user' : i % 2 === 0 ? 'bob' : 'ann',
    depth: i + 1,
    chain: 'garden/0',
    status: 'done' as const,
    attempts: 1,
    tokens: 10,
    costUsd: 0,
    ...(i === 0 ? {} : { parent: `garden/${i - 1}/${i % 2 === 0 ? 'bob' : 'ann'}` }),
  }));
}

test('shows a short chain whole, one line for each turn, without indentation', () => {
  expect(showTrace(chain(3), options)).toBe(
    [
      'depth',
      '    1  user → ann  #0  done  10 tokens',
      '    2  ann → bob  #1  done  10 tokens',
      '    3  bob → ann  #2  done  10 tokens',
    ].join('\n'),
  );
});

test('folds the answered middle of a chain of 100, says how to see all, and hides nothing without an answer', () => {
  const turns = chain(100);
  turns[49] = { ...(turns[49] as NotificationView), status: 'dropped', reason: 'failed', detail: 'no luck' };
  const lines = showTrace(turns, options).split('\n');
  expect(lines).toHaveLength(1 + 10 + 1 + 1 + 1 + 10 + 1);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
  expect(lines[11]).toBe('       … 39 turns done, depth 11 to 49  390 tokens');
  expect(lines[12]).toBe('   50  ann → bob  #49  dropped: failed (no luck)  10 tokens');
  expect(lines[13]).toBe('       … 40 turns done, depth 51 to 90  400 tokens');
  expect(lines.at(-2)).toContain('  100  ann → bob  #99');
  expect(lines.at(-1)).toBe('100 turns. Show all: oka chat trace garden --all');
  expect(showTrace(turns, { ...options, all: true }).split('\n')).toHaveLength(101);
});

test('shows until when a turn waits for its model', () => {
  const [turn] = chain(1) as [NotificationView];
  const waiting = { until: Date.UTC(2026, 10, 17, 14, 5), why: 'openai (gpt) is rate limited (429)' };
  expect(showTrace([{ ...turn, status: 'claimed', tokens: 0, waiting }], options)).toContain(
    'waiting until 2026-11-17 14:05:00 UTC (openai (gpt) is rate limited (429))',
  );
});
