// Runs every table of goals in this folder; a new table is one file that exports GOALS.
import { readdirSync } from 'node:fs';
import { type GoalRow, testGoals } from './run-goals.ts';

const TABLE = /^(?:.+-goals|phrasings.*)\.ts$/;

for (const file of readdirSync(new URL('.', import.meta.url)).filter(
  (name) => TABLE.test(name) && name !== 'run-goals.ts',
)) {
  const { GOALS } = (await import(new URL(file, import.meta.url).href)) as { GOALS: readonly GoalRow[] };
  testGoals(file, GOALS);
}
