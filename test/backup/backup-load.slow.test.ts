import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Watched, Workspace } from '../cli/oka-process.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verify, withOka } from './backup-kit.ts';

/** Which facts and runs a worker has said are stored. */
function acknowledged(said: string): { facts: readonly string[]; runs: readonly string[] } {
  const lines = said.split('\n').slice(0, -1);
  const of = (kind: string) =>
    lines.filter((line) => line.startsWith(kind)).map((line) => line.slice(kind.length));
  return { facts: of('fact ').map((i) => `bed ${i} has ${i} tulips`), runs: of('run ') };
}

test('a backup contains everything acknowledged before it started, while another process writes', async () => {
  const workspace = Workspace.trusted();
  const program = await bundleWorker(join(import.meta.dirname, 'busy-worker.ts'));
  const worker = new Watched([process.execPath, program, workspace.root, workspace.home], {
    cwd: workspace.root,
    env: { PATH: process.env['PATH'], HOME: workspace.home, OKA_HOME: workspace.home },
  });
  const folder = tempFolder();
  for (const nth of [1, 2, 3]) {
    const { facts, runs } = acknowledged(await worker.said(`fact ${nth * 40}\n`, 'stdout'));
    const file = join(folder, `${nth}.tar.gz`);
    const made = await workspace.oka('backup', 'create', file, '--json');
    expect(made, made.stdout).toMatchObject({ exitCode: 0 });
    expect(acknowledged(await worker.said('', 'stdout')).facts.length).toBeGreaterThan(facts.length);
    expect(await verify(file)).toMatchObject({ ok: true, faults: [], warnings: [] });

    const copy = new Workspace({ root: join(folder, `restored ${nth}`), home: workspace.home, files: {} });
    expect((await workspace.answer('backup', 'restore', file, '--to', copy.root)).exitCode).toBe(0);
    await copy.verified();
    await withOka(copy, async (oka) => {
      const found = new Set((await oka.memory.listFacts({ limit: 1_000_000 })).map(({ text }) => text));
      expect(facts.filter((text) => !found.has(text))).toEqual([]);
      for (const run of runs) expect((await oka.runs.show(run)).run.status).toBe('completed');
    });
  }
  worker.kill('SIGKILL');
  await worker.ended;
  await workspace.verified();
});
