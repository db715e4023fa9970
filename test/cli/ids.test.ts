import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FactView, RunListItem } from '../../src/api/index.ts';
import { shortenIds, shortId, shortIds } from '../../src/api/index.ts';
import type { OpenLedger } from '../../src/runtime/index.ts';
import { withResolvedIds } from '../../src/runtime/services/resolve-ids.ts';
import { openForThisTest } from '../support/open-test-ledger.ts';
import { Workspace } from './oka-process.ts';
import { parkBeforeWriting } from './park-runs.ts';

const ALPHABET = [...'0123456789abcdefghjkmnpqrstvwxyz'];

/** Ids as they are made: few times, and random ends of which many are equal. */
const ulid = fc
  .tuple(
    fc.constantFrom('01kaaaaaaa', '01kaaaaaab', '01kbbbbbbb'),
    fc.array(fc.constantFrom(...ALPHABET), { minLength: 8, maxLength: 8 }),
    fc.array(fc.constantFrom('7', 'f'), { minLength: 8, maxLength: 8 }),
  )
  .map(([time, random, end]) => `${time}${random.join('')}${end.join('')}`);

function addRun(ledger: OpenLedger, id: string, startedAt: number): void {
  ledger.database
    .prepare("INSERT INTO runs (id, kind, status, root, started_at) VALUES (?, 'agent', 'completed', ?, ?)")
    .run(id, id, startedAt);
}

function resolver(ledger: OpenLedger): (text: string) => Promise<string> {
  const api = withResolvedIds(
    'runs',
    { show: async (id: string) => id },
    { isTrusted: () => true, ledger: () => ledger, list: async () => [] },
  );
  return (text) => api.show(text);
}

test('each id that is shown names its own run, and an ambiguous part is an error that names the runs', async () => {
  const ledger = openForThisTest();
  const resolve = resolver(ledger);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(ulid, { minLength: 1, maxLength: 30 }), async (ids) => {
      ledger.database.exec('DELETE FROM runs');
      ids.forEach((id, at) => {
        addRun(ledger, id, at);
      });
      const shown = shortIds(ids);
      for (const id of ids) {
        expect(await resolve(shown(id))).toBe(id);
        expect(await resolve(id)).toBe(id);
        for (const part of [shortId(id), id.slice(-4), id.slice(0, 10), id.slice(0, 14)]) {
          const fits = ids.filter((other) => other.startsWith(part) || other.endsWith(part));
          const found = await resolve(part).catch((error: unknown) => error);
          if (fits.length === 1) expect(found).toBe(id);
          else
            expect(found).toMatchObject({
              code: 'cli.ambiguous_id',
              data: { candidates: [...fits].sort().reverse().slice(0, 5) },
            });
        }
      }
      expect(await resolve('last')).toBe(ids.at(-1));
      expect(await resolve(`@${ids.length}`)).toBe(ids[0]);
      await expect(resolve(`@${ids.length + 1}`)).rejects.toMatchObject({ code: 'engine.unknown_run' });
    }),
    { numRuns: 40, seed: 7 },
  );
});

test('the end of an id is found with an index', () => {
  const { database } = openForThisTest();
  const plan = database
    .prepare("EXPLAIN QUERY PLAN SELECT id FROM runs WHERE substr(id, -4) = '7f3k'")
    .all() as { detail: string }[];
  expect(plan.map(({ detail }) => detail).join()).toContain('USING INDEX runs_by_id_end');
});

test('ids in a text are shortened, and other words are not', () => {
  expect(shortenIds('oka runs resume 01kabcdefghjkmnpqrstvwx7f3 --add-budget steps=50')).toBe(
    'oka runs resume vwx7f3 --add-budget steps=50',
  );
  const others = 'abcdefghijklmnopqrstuvwxyz a01kabcdefghjkmnpqrstvwx7f3';
  expect(shortenIds(others)).toBe(others);
});

test('commands accept short ids, last and @2, and print full ids with --json', async () => {
  const workspace = Workspace.trusted();
  const first = (await workspace.answer('do', 'write "one" to one.txt')).data.run.id;
  const second = (await workspace.answer('do', 'write "two" to two.txt')).data.run.id;
  const list = await workspace.oka('runs', 'list');
  expect(list.stdout).toContain(second.slice(-6));
  expect(list.stdout).not.toContain(second);
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(data.runs.map(({ id }) => id)).toEqual([second, first]);
  for (const [text, id] of [
    ['last', second],
    ['@1', second],
    ['@2', first],
    [first.slice(-6), first],
    [first.slice(-4), first],
    [first.slice(0, 22).toUpperCase(), first],
  ] as const)
    expect((await workspace.answer('runs', 'show', text)).data.run.id).toBe(id);
  expect(await workspace.refusal('runs', 'show', '@3')).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.unknown_run', message: 'There are fewer than 3 runs. See: oka runs list.' },
  });
  expect(await workspace.refusal('runs', 'undo', first.slice(0, 5))).toMatchObject({
    exitCode: 3,
    error: { code: 'cli.ambiguous_id', data: { candidates: [second, first] } },
  });
  expect(await workspace.refusal('runs', 'undo', first.slice(-3))).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.unknown_run' },
  });
  const undone = await workspace.oka('runs', 'undo', 'last');
  expect(undone.stderr).toContain(`run ${second.slice(-6)}: write "two" to two.txt`);
  expect(workspace.has('two.txt')).toBe(false);
  expect(workspace.has('one.txt')).toBe(true);
});

test('a fact is named by the end of its id', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer<{ fact: FactView }>(
    'memory',
    'fact',
    'add',
    'The gate code is blue',
  );
  const { id } = data.fact;
  expect(
    (await workspace.answer<{ fact: FactView }>('memory', 'fact', 'get', id.slice(-6))).data.fact.id,
  ).toBe(id);
});

test('an approval is named by its end or by the end of its run, and approving takes no position', async () => {
  const workspace = Workspace.trusted();
  const { run, approval } = await parkBeforeWriting(workspace, 'write "four beds" to beds.txt');
  const shown = async (text: string): Promise<string> =>
    (await workspace.answer<{ approval: { id: string } }>('approvals', 'show', text)).data.approval.id;
  expect(await shown(approval.slice(-6))).toBe(approval);
  expect(await shown(run.slice(-6))).toBe(approval);
  expect(await shown('last')).toBe(approval);
  expect(await workspace.refusal('approvals', 'approve', 'last')).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.unknown_approval' },
  });
  expect(workspace.has('beds.txt')).toBe(false);
  const approved = await workspace.answer('approvals', 'approve', approval.slice(-6));
  expect(approved.data.run).toMatchObject({ id: run, status: 'completed' });
});
