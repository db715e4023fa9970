// `schema-1.tar.gz` is a workspace written by Oka 0.1.0 before schema 2, packed after that version verified it: runs that
// ended, wait and were archived, facts of which one was erased, a conversation, a scanned tree with a frame, a schedule and a
// credential with its key.
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { RepairAnswer, RunListItem, VerifyAnswer } from '../../src/api/index.ts';
import type { Workspace } from '../cli/oka-process.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { unpack } from './unpack.ts';

const HEAD = { seq: 51, hash: 'e632d07783d6e989442f090c5ebe220679560f37d4bf3f9a846435a1ebc269b1' };

/** As its user has it: trusted by the version before. */
function trusted(): Workspace {
  const workspace = unpack('schema-1.tar.gz');
  trustFolder(workspace.home, workspace.root);
  return workspace;
}

function schemaOf(workspace: Workspace): unknown {
  const database = new DatabaseSync(workspace.at('.oka/oka.db'), { readOnly: true });
  try {
    return database.prepare('PRAGMA user_version').get();
  } finally {
    database.close();
  }
}

test('a workspace of the version before verifies unchanged', async () => {
  const workspace = unpack('schema-1.tar.gz');
  const { exitCode, data } = await workspace.answer<VerifyAnswer>('ledger', 'verify');
  expect({ exitCode, faults: data.faults, head: data.head }).toEqual({ exitCode: 0, faults: [], head: HEAD });
  expect(schemaOf(workspace)).toEqual({ user_version: 1 });
});

test('a workspace of the version before opens, migrates and keeps everything', async () => {
  const workspace = trusted();
  await workspace.answer('runs', 'list');
  expect(schemaOf(workspace)).toEqual({ user_version: 3 });
  const { data } = await workspace.answer<VerifyAnswer>('ledger', 'verify', '--full');
  expect(data).toMatchObject({ ok: true, head: HEAD, events: 33, archived: 18 });

  const { data: listed } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(listed.runs.map(({ status }) => status).sort()).toEqual(['completed', 'waiting', 'waiting']);
  const { data: facts } = await workspace.answer<{ facts: { text: string }[] }>('memory', 'fact', 'list');
  expect(facts.facts.map(({ text }) => text).sort()).toEqual(['Ada prefers tea', 'Secret wish: a pond']);
  const { data: credentials } = await workspace.answer<{ credentials: { name: string }[] }>('vault', 'list');
  expect(credentials.credentials.map(({ name }) => name)).toEqual(['github']);

  const waiting = listed.runs.find(({ goal }) => goal?.includes('wait for the event'));
  expect(await workspace.answer('runs', 'signal', waiting?.id as string, 'go')).toMatchObject({
    exitCode: 0,
    data: { run: { status: 'completed' } },
  });
  await workspace.verified();
});

test('a workspace of the version before that lost its database is repaired from its mirror', async () => {
  const workspace = trusted();
  await workspace.answer('runs', 'list');
  workspace.put('.oka/oka.db', '');
  expect(await workspace.answer<RepairAnswer>('ledger', 'repair')).toMatchObject({
    exitCode: 0,
    data: { ok: true },
  });
  const { data } = await workspace.answer<VerifyAnswer>('ledger', 'verify', '--full');
  expect(data).toMatchObject({ ok: true, head: HEAD, events: 33, archived: 18 });
});
