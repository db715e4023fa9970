import { expect, test } from 'vitest';
import type { RunListItem } from '../../api/types.ts';
import { mergeRuns, type RunFilter } from './merge-runs.ts';

const run = (id: string, startedAt: number, status: RunListItem['status'] = 'running'): RunListItem => ({
  id,
  kind: 'goal',
  status,
  startedAt,
});
const ALL: RunFilter = { status: '', text: '', rootsOnly: false };
const ids = (runs: readonly RunListItem[]): string => runs.map(({ id }) => id).join(' ');

test('a new run comes first and a changed run keeps its place', () => {
  const merged = mergeRuns([run('b', 2), run('a', 1)], {
    runs: [run('c', 3), run('a', 1, 'completed')],
    filter: ALL,
    isComplete: true,
  });
  expect(ids(merged)).toBe('c b a');
  expect(merged.at(-1)?.status).toBe('completed');
});

test('a run that no longer has the chosen status leaves the list', () => {
  const merged = mergeRuns([run('b', 2), run('a', 1)], {
    runs: [run('b', 2, 'failed'), run('c', 3, 'failed')],
    filter: { ...ALL, status: 'running' },
    isComplete: true,
  });
  expect(ids(merged)).toBe('a');
});

test('a run older than the loaded ones waits for its page', () => {
  const merged = mergeRuns([run('c', 3), run('b', 2)], {
    runs: [run('a', 1)],
    filter: ALL,
    isComplete: false,
  });
  expect(ids(merged)).toBe('c b');
});

test('runs that started at the same time are ordered by id', () => {
  const merged = mergeRuns([run('b', 1), run('a', 1)], {
    runs: [run('c', 1)],
    filter: ALL,
    isComplete: true,
  });
  expect(ids(merged)).toBe('c b a');
});

test('a run with another goal, or a child run, is not listed where the filter leaves it out', () => {
  const runs = [
    { ...run('a', 1), goal: 'Water the beds' },
    { ...run('b', 2), goal: 'count files' },
    { ...run('c', 3), goal: 'water', parent: 'a' },
  ];
  const filter = { ...ALL, text: 'WATER', rootsOnly: true };
  expect(ids(mergeRuns([], { runs, filter, isComplete: true }))).toBe('a');
});
