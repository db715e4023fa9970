import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RepairAnswer, VerifyAnswer } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';
import {
  addFacts,
  DATABASE,
  expectSound,
  factsOf,
  json,
  MIRROR,
  withOlderDatabase,
  withTwoHistories,
} from './repair-kit.ts';

test('verify finds an older database under a newer mirror and changes nothing', async () => {
  const workspace = await withOlderDatabase();
  const before = readFileSync(workspace.at(MIRROR), 'utf8');
  const { exitCode, data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify');
  expect({ exitCode, ok: data.ok, repair: data.repair }).toEqual({
    exitCode: 7,
    ok: false,
    repair: 'oka ledger repair',
  });
  expect(data.faults).toEqual([{ where: 'mirror end', what: 'has 2 lines that the database does not have' }]);
  expect(readFileSync(workspace.at(MIRROR), 'utf8')).toBe(before);
  expect(readFileSync(workspace.at(DATABASE)).equals(readFileSync(workspace.at('older.db')))).toBe(true);
});

test('the next command that writes recovers the events that an older database lacks, and reports it', async () => {
  const workspace = await withOlderDatabase();
  const { exitCode, stderr } = await json(workspace, 'memory', 'fact', 'add', 'fourth');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Recovered 2 events from run_ledger.jsonl');
  expect(await factsOf(workspace)).toEqual(['first', 'fourth', 'second', 'third']);
  await expectSound(workspace);
});

test('commands fail and change nothing if database and mirror contradict each other', async () => {
  const workspace = await withTwoHistories();
  const before = [DATABASE, MIRROR].map((file) => readFileSync(workspace.at(file), 'latin1'));
  const { exitCode, error } = await json(workspace, 'memory', 'fact', 'add', 'more');
  expect({ exitCode, code: error?.code }).toEqual({ exitCode: 7, code: 'ledger.diverged' });
  expect(error?.message).toContain('oka ledger repair');
  const { exitCode: undecided, data } = await json<RepairAnswer>(workspace, 'ledger', 'repair');
  expect(undecided).toBe(7);
  expect(data.diverged?.branches).toMatchObject([
    { source: 'database', events: 1, types: { 'fact.added': 1 } },
    { source: 'mirror', events: 2, types: { 'fact.added': 2 } },
  ]);
  expect(data.next).toEqual(['oka ledger repair --keep database', 'oka ledger repair --keep mirror']);
  expect([DATABASE, MIRROR].map((file) => readFileSync(workspace.at(file), 'latin1'))).toEqual(before);
});

test.each([
  ['database', ['first', 'other']],
  ['mirror', ['first', 'second', 'third']],
])('repair --keep %s uses this copy and keeps the other', async (keep, facts) => {
  const workspace = await withTwoHistories();
  const { exitCode, data } = await json<RepairAnswer>(workspace, 'ledger', 'repair', '--keep', keep);
  expect({ exitCode, ok: data.ok }).toEqual({ exitCode: 0, ok: true });
  expect(data.kept.length).toBeGreaterThan(0);
  expect(data.kept.every(existsSync)).toBe(true);
  expect(await factsOf(workspace)).toEqual(facts);
  await expectSound(workspace);
});

test('an unwritable mirror is reported and completed later', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  const lines = workspace.text(MIRROR);
  rmSync(workspace.at(MIRROR));
  // A folder cannot be written as a file, whoever one is.
  workspace.put(`${MIRROR}/in-the-way`, '');
  const { exitCode, stderr } = await workspace.oka('memory', 'fact', 'add', 'second');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('run_ledger.jsonl was not written');
  rmSync(workspace.at(MIRROR), { recursive: true });
  await addFacts(workspace, 'third');
  expect(workspace.text(MIRROR).startsWith(lines)).toBe(true);
  await expectSound(workspace);
});
