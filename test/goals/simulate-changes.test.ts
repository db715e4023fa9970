import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GoalFolder } from './run-goals.ts';

it.each([
  ['replace alpha with omega in a.txt', 'a.txt', '+omega'],
  ['convert data/people.json to csv', 'data/people.csv', '+Anna,41,Bern'],
])('%s only shows the change in a simulation', async (goal, path, line) => {
  const folder = new GoalFolder();
  await folder.open();
  const answer = await folder.oka.do({ goal, budgets: {}, simulate: true, patienceMs: 0 });
  const text = readFileSync(join(folder.root, 'a.txt'), 'utf8');
  await folder.close();
  expect(answer.run).toMatchObject({ status: 'completed', simulated: true });
  expect(answer.wouldChange).toMatchObject([{ path, diff: expect.stringContaining(line) }]);
  expect(text).toBe('alpha\nbeta\ngamma\n');
});
