import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needsOf } from '../../src/language/index.ts';
import { root } from '../checkout.ts';

interface Judged {
  readonly goal: string;
  readonly needs: 'answer' | 'change';
}

/** Written by somebody who had not seen the word lists. */
const GOALS = JSON.parse(
  readFileSync(join(root, 'test', 'goals', 'needs.json'), 'utf8'),
) as readonly Judged[];

it('no goal that needs a change counts as answered by words', () => {
  expect(GOALS.filter(({ goal, needs }) => needs === 'change' && !needsOf(goal).change)).toEqual([]);
});

it('at most one in twenty goals that only ask needs a change', () => {
  const asking = GOALS.filter(({ needs }) => needs === 'answer');
  const strict = asking.filter(({ goal }) => needsOf(goal).change);
  expect(strict.length).toBeLessThanOrEqual(asking.length / 20);
});

it('the file for the result is what "into" and "to" name', () => {
  const files = (goal: string) => needsOf(goal).files;
  expect(files('put a summary of notes.md into summary.md')).toEqual(['summary.md']);
  expect(files('convert a.csv to b.json')).toEqual(['b.json']);
  expect(files('write report.md')).toEqual(['report.md']);
  expect(files('draft a reply to letter.txt')).toEqual([]);
  expect(files('rename every .txt in drafts/ to .md')).toEqual([]);
});
