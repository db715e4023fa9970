import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { bundleWorker } from '../../../test/support/bundle-worker.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type HashedFile, hashFiles } from './hash-files.ts';
import { HashQueue, type QueuedFile } from './hash-queue.ts';
import { ScannedFolder } from './scanned-folder.ts';

const FILES = 1_300;
const SETTLED = Number.MAX_SAFE_INTEGER;

/** More files than two batches hold. */
function manyFiles(): readonly QueuedFile[] {
  const place = tempFolder('plain-');
  const stamp = { size: 0, modifiedAt: 0, changedAt: 0, inode: 0 };
  const folder = new ScannedFolder({ path: '', bytes: '', place, stamp, known: undefined });
  return Array.from({ length: FILES }, (_, slot) => {
    const path = join(place, `${slot}.txt`);
    writeFileSync(path, `content ${slot}`);
    return { folder, slot, path };
  });
}

/** Hashes all files with this worker; returns the results in the order of the files, and the warnings. */
async function hashAll(files: readonly QueuedFile[], worker: URL) {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const queue = new HashQueue({ settledBefore: SETTLED, onWarning, worker });
  onTestFinished(() => queue.close());
  const hashed: HashedFile[] = [];
  queue.add(files);
  while (await queue.next()) for (const [file, result] of queue.takeFinished()) hashed[file.slot] = result;
  return { hashed, warnings };
}

function program(text: string): URL {
  const folder = tempFolder();
  const file = join(folder, 'worker.cjs');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

it('hashes in worker threads what it hashes in this thread', async () => {
  const files = manyFiles();
  const worker = await bundleWorker(join(import.meta.dirname, 'hash-worker.ts'));
  const { hashed, warnings } = await hashAll(files, pathToFileURL(worker));
  expect(hashed).toEqual(hashFiles({ files, settledBefore: SETTLED }));
  expect(warnings).toEqual([]);
});

it.each([
  ['has no program', () => new URL('file:///no/such/worker.js')],
  ['fails when it starts', () => program('throw new Error("broken")')],
  [
    'ends with a batch in hand',
    () => program("require('node:worker_threads').parentPort.on('message', () => process.exit(3))"),
  ],
] as const)('continues in this thread, with one warning, if a worker %s', async (_, worker) => {
  const files = manyFiles();
  const { hashed, warnings } = await hashAll(files, worker());
  expect(hashed).toEqual(hashFiles({ files, settledBefore: SETTLED }));
  expect(warnings).toEqual([expect.stringMatching(/^A thread that hashes files is missing \(.+\)/)]);
});
