import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'vitest';
import type { VerifyAnswer } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';

export const DATABASE = '.oka/oka.db';
export const LOG = '.oka/oka.db-wal';
export const MIRROR = '.oka/run_ledger.jsonl';

/** Commands of these tests run in processes of their own, because open databases of a shared one would be in the way. */
/** Runs a command in a process of its own: one that stays would keep the damaged files open. */
export async function json<T>(workspace: Workspace, ...args: string[]) {
  const { exitCode, stdout, stderr } = await workspace.start(...args, '--json').ended;
  const { data, error } = JSON.parse(stdout) as { data: T; error?: { code: string; message: string } };
  return { exitCode, stderr, data, error };
}

export async function addFacts(workspace: Workspace, ...texts: string[]): Promise<void> {
  for (const text of texts)
    expect(await json(workspace, 'memory', 'fact', 'add', text)).toMatchObject({ exitCode: 0 });
}

export async function factsOf(workspace: Workspace): Promise<string[]> {
  const { data } = await json<{ facts: { text: string }[] }>(workspace, 'memory', 'fact', 'list');
  return data.facts.map(({ text }) => text).sort();
}

export async function expectSound(workspace: Workspace): Promise<void> {
  const { exitCode, data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full');
  expect({ exitCode, faults: data.faults }).toEqual({ exitCode: 0, faults: [] });
}

/** A database from before the second fact, under a mirror that has both. */
export async function withOlderDatabase(): Promise<Workspace> {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  copyFileSync(workspace.at(DATABASE), workspace.at('older.db'));
  await addFacts(workspace, 'second', 'third');
  for (const tail of ['', '-wal', '-shm']) rmSync(workspace.at(DATABASE + tail), { force: true });
  copyFileSync(workspace.at('older.db'), workspace.at(DATABASE));
  return workspace;
}

/** A copy of a workspace, taken as a crash leaves it: the log holds what was committed last. */
export async function withLog(): Promise<Workspace> {
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

/** Both copies continue the first fact, each with another one. */
export async function withTwoHistories(): Promise<Workspace> {
  const workspace = await withOlderDatabase();
  const mirror = readFileSync(workspace.at(MIRROR));
  rmSync(workspace.at(MIRROR));
  forgetSignedHeads(workspace);
  await addFacts(workspace, 'other');
  writeFileSync(workspace.at(MIRROR), mirror);
  return workspace;
}

/** As on a machine that has never signed a head of this ledger. */
export function forgetSignedHeads(workspace: Workspace): void {
  rmSync(join(workspace.home, 'heads'), { recursive: true, force: true });
}

export function damageBlob(workspace: Workspace): [string, string] {
  const folder = readdirSync(workspace.at('.oka/objects'))[0] as string;
  const name = readdirSync(workspace.at(`.oka/objects/${folder}`))[0] as string;
  writeFileSync(workspace.at(`.oka/objects/${folder}/${name}`), 'damaged');
  return [folder, name];
}
