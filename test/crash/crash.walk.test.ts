import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';

let worker = '';

beforeAll(async () => {
  worker = await bundleWorker(join(import.meta.dirname, 'worker.ts'), { whole: true });
});

function prepare(): { workspace: string; home: string } {
  const root = tempFolder();
  const [workspace, home] = [join(root, 'work'), join(root, 'home')];
  mkdirSync(workspace);
  mkdirSync(home);
  writeFileSync(join(workspace, 'README.md'), '# Walk\n\nA folder that a run is killed in.\n');
  writeFileSync(join(workspace, 'main.js'), 'start(); // TODO stop\n');
  return { workspace, home };
}

function work(
  place: { workspace: string; home: string },
  command: string,
  where: string,
  count: number,
  run?: string,
) {
  const args = [worker, place.workspace, place.home, command, where, String(count), ...(run ? [run] : [])];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const killed = done.signal === 'SIGKILL';
  if (!killed && done.status !== 0) throw new Error(done.stderr);
  return { killed, answer: killed ? undefined : (JSON.parse(done.stdout) as RunAnswer) };
}

async function trusted(place: { workspace: string; home: string }): Promise<void> {
  const oka = new Oka(place);
  await oka.init({ trust: true });
  await oka.close();
}

/** The run that the killed process left, if it had started one. */
async function leftOver(place: { workspace: string; home: string }): Promise<string | undefined> {
  const oka = new Oka(place);
  const [run] = await oka.runs.list({ limit: 1 });
  await oka.close();
  return run?.id;
}

/** How often the file was written: every write has another inode, because it replaces the file by renaming. */
function identityOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.mtimeMs}`;
}

describe('a run that is killed', () => {
  it('at every commit boundary continues to the same result, without a second effect, on a ledger that verifies', async () => {
    const whole = prepare();
    await trusted(whole);
    const { answer } = work(whole, 'do', 'never', 0);
    const brief = readFileSync(join(whole.workspace, 'BRIEF.md'), 'utf8');
    const commits = readFileSync(join(whole.home, 'commits'), 'utf8').length;
    expect(commits).toBeGreaterThan(8);
    const points = Array.from({ length: commits }, (_, i) => i + 1).flatMap((n) => [
      ['before', n] as const,
      ['after', n] as const,
    ]);
    for (const [where, n] of points) {
      const place = prepare();
      await trusted(place);
      expect(work(place, 'do', where, n).killed, `${where} commit ${n}`).toBe(true);
      const written = identityOf(join(place.workspace, 'BRIEF.md'));
      const run = await leftOver(place);
      const resumed =
        run === undefined ? work(place, 'do', 'never', 0) : work(place, 'resume', 'never', 0, run);
      expect(resumed.answer?.run.status, `${where} commit ${n}`).toBe('completed');
      expect(resumed.answer?.output).toEqual(answer?.output);
      expect(readFileSync(join(place.workspace, 'BRIEF.md'), 'utf8')).toBe(brief);
      if (written !== undefined)
        expect(identityOf(join(place.workspace, 'BRIEF.md')), `${where} commit ${n}`).toBe(written);
      await expectSound(place);
    }
  });

  it('repeatedly still completes', async () => {
    const place = prepare();
    await trusted(place);
    work(place, 'do', 'after', 2);
    const run = (await leftOver(place)) as string;
    let kills = 0;
    for (;;) {
      const { killed, answer } = work(place, 'resume', kills % 2 === 0 ? 'after' : 'before', 3, run);
      if (!killed) {
        expect(answer?.run.status).toBe('completed');
        break;
      }
      kills += 1;
      expect(kills).toBeLessThan(60);
    }
    expect(kills).toBeGreaterThan(3);
    await expectSound(place);
  });
});

async function expectSound(place: { workspace: string; home: string }): Promise<void> {
  const oka = new Oka(place);
  const verified = await oka.ledger.verify({ full: true });
  const [run] = await oka.runs.list({ limit: 1 });
  const explained = await oka.runs.explain(run?.id as string);
  await oka.close();
  expect(verified.faults).toEqual([]);
  expect(explained.actions.filter((action) => action.tool === 'procedures.write')).toHaveLength(1);
}
