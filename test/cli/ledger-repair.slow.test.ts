import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { RepairAnswer, VerifyAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { Workspace } from './oka-process.ts';
import {
  addFacts,
  DATABASE,
  damageBlob,
  expectSound,
  factsOf,
  json,
  LOG,
  MIRROR,
  withLog,
  withOlderDatabase,
} from './repair-kit.ts';

test('a command that only reads reports missing events in the database', async () => {
  const workspace = await withOlderDatabase();
  const { exitCode, stdout, stderr } = await workspace.oka('memory', 'fact', 'list');
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('second');
  expect(stderr).toContain('has events that the database does not have');
});

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

test('damage at different places of database and mirror is repaired from both', async () => {
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
