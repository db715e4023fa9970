import { copyFileSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Workspace } from './oka-process.ts';

/** A workspace whose database has lost the newest events, as after a lost write-ahead log; the mirror has them. */
async function withoutNewest(): Promise<Workspace> {
  const workspace = Workspace.trusted();
  await workspace.oka('memory', 'fact', 'add', 'the gate is green');
  copyFileSync(workspace.at('.oka/oka.db'), workspace.at('older.db'));
  await workspace.oka('memory', 'fact', 'add', 'the key is under the pot');
  for (const end of ['-wal', '-shm']) rmSync(workspace.at(`.oka/oka.db${end}`), { force: true });
  copyFileSync(workspace.at('older.db'), workspace.at('.oka/oka.db'));
  return workspace;
}

const READING = [
  ['memory', 'fact', 'list'],
  ['memory', 'stats'],
  ['runs', 'list'],
  ['runs', 'show', 'last'],
  ['approvals', 'list'],
  ['chat', 'list'],
  ['status'],
  ['graph', 'list'],
  ['graph', 'schedule', 'list'],
  ['tools', 'list'],
  ['policy', 'show'],
  ['vault', 'list'],
  ['metrics'],
  ['ledger', 'stats'],
];

test('reading a ledger without its newest events warns in JSON', async () => {
  const workspace = await withoutNewest();
  const { exitCode, stdout } = await workspace.oka('memory', 'fact', 'list', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    warnings: [{ code: 'ledger.incomplete', message: expect.stringContaining('oka ledger repair') }],
  });
});

test('JSON has warnings exactly where the text warns, with the same words', async () => {
  const [damaged, sound] = [await withoutNewest(), Workspace.trusted()];
  await sound.oka('memory', 'fact', 'add', 'the gate is green');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...READING),
      fc.constantFrom(damaged, sound),
      async (command, workspace) => {
        const text = await workspace.oka(...command);
        const json = await workspace.oka(...command, '--json');
        const { warnings = [] } = JSON.parse(json.stdout) as {
          warnings?: { code: string; message: string }[];
        };
        const told = text.stderr.split('\n').filter((line) => /^(!|warning) /.test(line));
        expect(warnings.map(({ message }) => message)).toEqual(told.map((line) => line.replace(/^\S+ /, '')));
        expect(json.exitCode).toBe(text.exitCode);
      },
    ),
    { numRuns: 40 },
  );
});
