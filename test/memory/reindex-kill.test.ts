import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import { openTestMemory } from './open-test-memory.ts';

it('a crash during reindexing loses nothing, and the next query or reindex continues from there', async () => {
  const worker = await bundleWorker(join(import.meta.dirname, 'reindex-worker.ts'));
  const root = tempFolder();
  const first = await openTestMemory(root);
  const notes = Array.from({ length: 1_500 }, (_, i) => ({ text: `note ${i} about the garden`, at: i }));
  await first.memory.recordEpisodes(notes, 'me');
  await first.memory.retrieve({ query: 'note 1400', limit: 3 });
  await first.ledger.close();

  const child = spawn(process.execPath, [worker, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [told] = (await once(child.stdout, 'data')) as [Buffer];
  expect(Number.parseInt(told.toString(), 10)).toBeLessThan(1_500);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const { memory, vectors, ledger } = await openTestMemory(root);
  onTestFinished(() => ledger.close());
  const { hits, degraded } = await memory.retrieve({ query: 'note 1400', limit: 3 });
  expect(hits[0]?.text).toBe('note 1400 about the garden');
  expect(degraded).toBe(false);
  expect(await vectors.rebuild()).toMatchObject({ texts: 1_500 });
  expect(await vectors.rebuild()).toMatchObject({ texts: 1_500 });
  expect(await verifyLedger(ledger)).toMatchObject({ ok: true, faults: [] });
});
