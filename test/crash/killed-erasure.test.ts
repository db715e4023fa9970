import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TEXT = 'the safe opens with 4711';
let worker: string;

beforeAll(async () => {
  worker = await bundleWorker(join(import.meta.dirname, 'erasure-worker.ts'));
});

/** The files of the workspace that hold the text. */
function filesWithText(workspace: string): readonly string[] {
  const files = readdirSync(join(workspace, '.oka'), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => readFileSync(file).includes(TEXT));
}

it.each([
  ['deletes the fact again', (oka: Oka, id: string) => oka.memory.deleteFact(id, 'test')],
  ['only reads', (oka: Oka) => oka.memory.listFacts({ limit: 10 })],
])('an erasure whose process was killed is finished by the next command, which %s', async (_, next) => {
  const places = { workspace: tempFolder(), home: join(tempFolder(), 'home') };
  const oka = new Oka(places);
  await oka.init({ trust: true });
  const { fact } = await oka.memory.addFact({ text: TEXT, by: 'test' });
  await oka.memory.addFact({ text: 'another', by: 'test' });
  // Pages of each day repeat the facts.
  await oka.maintenance.maintain({ dryRun: false });
  await oka.close();
  const { workspace, home } = places;
  const before = filesWithText(workspace);
  expect(spawnSync(process.execPath, [worker, workspace, home, fact.id]).signal).toBe('SIGKILL');
  expect(filesWithText(workspace)).not.toEqual([]);
  expect(before.length).toBeGreaterThan(1);
  const later = new Oka(places);
  await next(later, fact.id).catch((error: { code: string }) => expect(error.code).toBe('memory.unknown'));
  await later.close();
  expect(filesWithText(workspace)).toEqual([]);
  const last = new Oka(places);
  expect(await last.ledger.verify({ full: true })).toMatchObject({ ok: true, mirrorEqual: true });
  await last.close();
});
