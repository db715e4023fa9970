import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { filesWith } from './find-bytes.ts';

it('finds the files that hold a text, also across the pieces in which a file is read', () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a', 'one'), `${'x'.repeat(1_048_570)}needle${'x'.repeat(100)}`);
  writeFileSync(join(folder, 'two'), 'needl e');
  expect(filesWith(folder, ['needle'])).toEqual({ found: [join(folder, 'a', 'one')], isComplete: true });
});

it('searches a folder in which files are replaced all the time', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'kept'), 'needle');
  // Reports when it has replaced files for the first time.
  const program = `
    const { renameSync, writeFileSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    for (let i = 0; ; i += 1) {
      const file = workerData + '/file-' + (i % 50);
      writeFileSync(file + '.new', 'text');
      renameSync(file + '.new', file);
      if (i === 100) parentPort.postMessage('ready');
    }`;
  const worker = new Worker(program, { eval: true, workerData: folder });
  onTestFinished(async () => void (await worker.terminate()));
  await new Promise((resolve) => worker.once('message', resolve));
  for (let i = 0; i < 50; i += 1) expect(filesWith(folder, ['needle']).found).toEqual([join(folder, 'kept')]);
});
