import { expect, test } from 'vitest';
import type { RunListItem } from '../../api/types.ts';
import { rankCandidates } from './rank-candidates.ts';

const run = (id: string, more: Partial<RunListItem> = {}): RunListItem => ({
  ...{ id, kind: 'agent', status: 'completed', goal: 'other', startedAt: 0 },
  ...more,
});

test('forks and attempts come first, then the same goal, then the newest', () => {
  const compared = {
    ...{ id: 'me', goal: 'dig', forkedFrom: { run: 'origin', step: 2 }, attempts: ['before'] },
  };
  const runs = [
    run('new', { startedAt: 9 }),
    run('old', { startedAt: 1 }),
    run('same', { goal: 'dig' }),
    run('after', { resumedFrom: 'me' }),
    run('before'),
    run('origin'),
    run('fork', { goal: 'dig' }),
    run('me'),
  ];
  const ranked = rankCandidates(compared, runs, new Set(['fork']));
  expect(ranked.map((one) => one.run.id)).toEqual([
    'fork',
    'origin',
    'before',
    'after',
    'same',
    'new',
    'old',
  ]);
  expect(ranked.at(-1)?.relation).toBeUndefined();
});

test('a run that was read twice is offered once', () => {
  expect(rankCandidates({ id: 'me' }, [run('a'), run('a')], new Set())).toHaveLength(1);
});
