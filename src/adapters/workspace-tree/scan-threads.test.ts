import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { ScanThreads } from './scan-threads.ts';

const SETTLED = Number.MAX_SAFE_INTEGER;

/** A folder with files, and requests about all of them. */
function prepare() {
  const folder = tempFolder();
  mkdirSync(join(folder, 'docs'));
  const files = ['a.txt', 'b.txt', 'docs/c.txt'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, `content of ${file}`);
  const stamps = (): Float64Array =>
    Float64Array.from(files.flatMap((file) => [lstatSync(file).size, 0, 0, 0]));
  const read = () => ({
    paths: files.map((file) => `${file}\0`).join(''),
    stamps: stamps(),
    settledBefore: SETTLED,
  });
  const take = () => ({
    places: `${folder}\0`,
    paths: '\0',
    layers: [],
    rules: 'none',
    settledBefore: SETTLED,
  });
  const check = () => ({
    places: `${folder}\0`,
    names: 'a.txt/b.txt\0',
    kinds: 'ff\0',
    stamps: stamps().slice(0, 8),
  });
  return { read, take, check };
}

/** Everything that can be asked, many times at once. */
async function askAll(threads: ScanThreads, { read, take, check }: ReturnType<typeof prepare>) {
  const several = Array.from({ length: 6 });
  const answers = await Promise.all([
    ...several.map(() => threads.read(read())),
    ...several.map(() => threads.take(take())),
    ...several.map(() => threads.check(check())),
  ]);
  await threads.close();
  return answers;
}

it.each([
  [
    'cannot be started',
    () => {
      throw new Error('no threads here');
    },
  ],
  ['fails when it starts', () => new Worker('throw new Error("broken")', { eval: true })],
  [
    'ends with a request in hand',
    () =>
      new Worker("require('node:worker_threads').parentPort.on('message', () => process.exit(3))", {
        eval: true,
      }),
  ],
] as const)('does the work here, with one warning, when a thread %s', async (_, startWorker) => {
  const requests = prepare();
  const warnings: string[] = [];
  const threads = new ScanThreads({ startWorker, onWarning: (message) => void warnings.push(message) });
  onTestFinished(() => threads.close());
  expect(await askAll(threads, requests)).toEqual(await askAll(new ScanThreads(), requests));
  expect(warnings).toEqual([expect.stringMatching(/^A thread that scans files is missing \(.+\)/)]);
});

it('does no work any more once it is closed', async () => {
  const { read } = prepare();
  const threads = new ScanThreads({
    startWorker: () =>
      new Worker("require('node:worker_threads').parentPort.on('message', () => undefined)", { eval: true }),
  });
  const asked = threads.read(read());
  await Promise.all([expect(asked).rejects.toThrow('it has ended'), threads.close()]);
});
