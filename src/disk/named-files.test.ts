import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { namedFiles } from './named-files.ts';

it('finds the file that the kernel opens, also behind a link that leads back out of another one', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oka-names-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['up', 'elsewhere/deep']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'up/run.sh'), 'harmless');
  writeFileSync(join(root, 'elsewhere/run.sh'), 'harmful');
  symlinkSync('../elsewhere/deep', join(root, 'up/link'));
  symlinkSync('up/link/../run.sh', join(root, 'run.sh'));
  expect(namedFiles(['run.sh'], root, root)).toEqual([join(root, 'elsewhere/run.sh')]);
});
