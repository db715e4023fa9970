import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { RepairAnswer, VerifyAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { Workspace } from './oka-process.ts';

const DATABASE = '.oka/oka.db';
const LOG = '.oka/oka.db-wal';
const MIRROR = '.oka/run_ledger.jsonl';

/** Commands of these tests run in processes of their own, because open databases of a shared one would be in the way. */
async function json<T>(workspace: Workspace, ...args: string[]) {
  const { exitCode, stdout, stderr } = await workspace.oka(...args, '--json');
  const { data, error } = JSON.parse(stdout) as { data: T; error?: { code: string; message: string } };
  return { exitCode, stderr, data, error };
}

async function addFacts(workspace: Workspace, ...texts: string[]): Promise<void> {
  for (const text of texts)
    expect(await json(workspace, 'memory', 'fact', 'add', text)).toMatchObject({ exitCode: 0 });
}

async function factsOf(workspace: Workspace): Promise<string[]> {
  const { data } = await json<{ facts: { text: string }[] }>(workspace, 'memory', 'fact', 'list');
  return data.facts.map(({ text }) => text).sort();
}

async function expectSound(workspace: Workspace): Promise<void> {
  const { exitCode, data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full');
  expect({ exitCode, faults: data.faults }).toEqual({ exitCode: 0, faults: [] });
}

/** A database from before the second fact, under a mirror that has both. */
async function withOlderDatabase(): Promise<Workspace> {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  copyFileSync(workspace.at(DATABASE), workspace.at('older.db'));
  await addFacts(workspace, 'second', 'third');
  for (const tail of ['', '-wal', '-shm']) rmSync(workspace.at(DATABASE + tail), { force: true });
  copyFileSync(workspace.at('older.db'), workspace.at(DATABASE));
  return workspace;
}

test('an older database under a newer mirror is found by verify, which changes nothing', async () => {
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

test('the next command that writes recovers what an older database lacks, and says so', async () => {
  const workspace = await withOlderDatabase();
  const { exitCode, stderr } = await json(workspace, 'memory', 'fact', 'add', 'fourth');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Recovered 2 events from run_ledger.jsonl');
  expect(await factsOf(workspace)).toEqual(['first', 'fourth', 'second', 'third']);
  await expectSound(workspace);
});

test('a command that only reads says that the database lacks events', async () => {
  const workspace = await withOlderDatabase();
  const { exitCode, stdout, stderr } = await workspace.oka('memory', 'fact', 'list');
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('second');
  expect(stderr).toContain('has events that the database does not have');
});

/** A copy of a workspace, taken as a crash leaves it: the log holds what was committed last. */
async function withLog(): Promise<Workspace> {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  const reader = new DatabaseSync(workspace.at(DATABASE), { readOnly: true });
  // A reader keeps the log from being folded into the database.
  reader.exec('BEGIN; SELECT count(*) FROM events');
  await addFacts(workspace, 'second', 'third');
  const copy = Workspace.trusted();
  cpSync(workspace.at('.oka'), copy.at('.oka'), { recursive: true });
  reader.close();
  expect(statSync(copy.at(LOG)).size).toBeGreaterThan(0);
  return copy;
}

test.each(['a flipped bit in', 'a cut end of', 'the loss of'])('%s the log loses nothing', async (how) => {
  const workspace = await withLog();
  const log = readFileSync(workspace.at(LOG));
  // The header of the log and of its first page is 56 bytes long.
  log[60] = (log[60] as number) ^ 1;
  if (how === 'a flipped bit in') writeFileSync(workspace.at(LOG), log);
  else if (how === 'a cut end of') truncateSync(workspace.at(LOG), 500);
  else rmSync(workspace.at(LOG));
  rmSync(workspace.at('.oka/oka.db-shm'), { force: true });
  expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify')).exitCode).toBe(7);
  const { exitCode, stderr } = await json(workspace, 'memory', 'fact', 'add', 'fourth');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('Recovered') });
  expect(await factsOf(workspace)).toEqual(['first', 'fourth', 'second', 'third']);
  await expectSound(workspace);
});

/** Both copies continue the first fact, each with another one. */
async function withTwoHistories(): Promise<Workspace> {
  const workspace = await withOlderDatabase();
  const mirror = readFileSync(workspace.at(MIRROR));
  rmSync(workspace.at(MIRROR));
  await addFacts(workspace, 'other');
  writeFileSync(workspace.at(MIRROR), mirror);
  return workspace;
}

test('where database and mirror contradict each other, commands stop and change nothing', async () => {
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
])('a person chooses the %s, and the other side is kept', async (keep, facts) => {
  const workspace = await withTwoHistories();
  const { exitCode, data } = await json<RepairAnswer>(workspace, 'ledger', 'repair', '--keep', keep);
  expect({ exitCode, ok: data.ok }).toEqual({ exitCode: 0, ok: true });
  expect(data.kept.length).toBeGreaterThan(0);
  expect(data.kept.every(existsSync)).toBe(true);
  expect(await factsOf(workspace)).toEqual(facts);
  await expectSound(workspace);
});

test('damage to the database and to the mirror at different places is repaired from both', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first', 'second', 'third', 'fourth');
  const database = new DatabaseSync(workspace.at(DATABASE));
  database.exec(`UPDATE events SET body = '{"text":"forged"}' WHERE seq = 2`);
  database.close();
  workspace.put(MIRROR, workspace.text(MIRROR).replace('third', 'thirt'));
  expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full')).exitCode).toBe(7);
  const { exitCode, data } = await json<RepairAnswer>(workspace, 'ledger', 'repair');
  expect({ exitCode, ok: data.ok }).toEqual({ exitCode: 0, ok: true });
  expect(await factsOf(workspace)).toEqual(['first', 'fourth', 'second', 'third']);
  await expectSound(workspace);
});

test('a damaged blob is found, and restored from a backup or recorded as lost', async () => {
  const workspace = Workspace.trusted();
  await json(workspace, 'do', 'write a brief of this folder to BRIEF.md');
  await json(workspace, 'backup', 'create', '../backup.tar.gz');
  const [folder, name] = damageBlob(workspace);
  const found = await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full');
  expect(found).toMatchObject({ exitCode: 7, data: { faults: [{ where: `blob ${folder}${name}` }] } });

  const alone = await json<RepairAnswer>(workspace, 'ledger', 'repair');
  expect(alone).toMatchObject({ exitCode: 7, data: { ok: false } });
  const restored = await json<RepairAnswer>(workspace, 'ledger', 'repair', '--backup', '../backup.tar.gz');
  expect(restored).toMatchObject({ exitCode: 0, data: { ok: true } });
  await expectSound(workspace);

  damageBlob(workspace);
  const accepted = await json<RepairAnswer>(workspace, 'ledger', 'repair', '--accept-loss');
  expect(accepted).toMatchObject({ exitCode: 0, data: { ok: true } });
  const { data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full');
  expect(data).toMatchObject({ ok: true, notes: [expect.stringContaining('lost')] });
  rmSync(workspace.at('../backup.tar.gz'), { force: true });
});

function damageBlob(workspace: Workspace): [string, string] {
  const folder = readdirSync(workspace.at('.oka/objects'))[0] as string;
  const name = readdirSync(workspace.at(`.oka/objects/${folder}`))[0] as string;
  writeFileSync(workspace.at(`.oka/objects/${folder}/${name}`), 'damaged');
  return [folder, name];
}

test('a lost vault is found; accepting the loss revokes its credentials', async () => {
  const workspace = Workspace.trusted();
  const oka = new Oka({ workspace: workspace.root, home: workspace.home });
  await oka.vault.add({ name: 'github', value: 'a-secret-value-1234', scopes: [], by: 'me' });
  await oka.close();
  rmSync(workspace.at('.oka/vault'));
  const found = await json<VerifyAnswer>(workspace, 'ledger', 'verify');
  expect(found.exitCode).toBe(7);
  expect(found.data.faults).toContainEqual({ where: 'credential github', what: 'its value is lost' });
  // In this process, which has just had the database open.
  const repairing = new Oka({ workspace: workspace.root, home: workspace.home });
  const data = await repairing.ledger.repair({ by: 'me', acceptLoss: true });
  await repairing.close();
  expect(data.ok).toBe(true);
  expect(data.repaired.join()).toContain('Revoked the credential github');
});

test('verification continues from the last verified head, and says so', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify')).data).toMatchObject({
    full: true,
    events: 1,
  });
  await addFacts(workspace, 'second');
  expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify')).data).toMatchObject({
    full: false,
    since: { seq: 1 },
    events: 2,
  });
  const { stdout } = await workspace.oka('ledger', 'verify');
  expect(stdout).toMatch(
    /Events up to 2 were verified on .+; to verify them again: oka ledger verify --full/,
  );
  expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full')).data).toMatchObject({
    full: true,
  });
});

test('a mirror that cannot be written is reported, and completed later', async () => {
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
