import { expect, it } from 'vitest';
import { statusOf } from '../../src/engine/index.ts';
import { draftsKit } from './drafts-kit.ts';
import { withoutSandbox } from './programs-kit.ts';

const FILES = 100_000;
const SCRIPT = `mkdir out; cd out
awk 'BEGIN { for (i = 0; i < ${FILES}; i += 1) { file = "f" i; print i > file; close(file) } }'`;

it.skipIf(withoutSandbox)('a program on a draft makes 100,000 files, and undo removes them', async () => {
  const { run, files, engine } = draftsKit();
  const start = files();
  const done = await run(SCRIPT);
  expect(statusOf(done)).toBe('completed');
  const { output } = done.output as { output: { changes: { created: number; paths: readonly string[] } } };
  expect([output.changes.created, output.changes.paths.length]).toEqual([FILES, 100]);
  expect(files()['out/f99999']).toBe('file 644 99999\n');
  expect(Object.keys(files())).toHaveLength(Object.keys(start).length + FILES + 2);
  const { changes } = await engine.undo(done.id, 'ann', { force: false });
  expect(changes).toMatchObject([{ restored: true }]);
  expect(files()).toMatchObject(start);
  expect(Object.keys(files()).filter((path) => path.startsWith('out'))).toEqual([]);
});
