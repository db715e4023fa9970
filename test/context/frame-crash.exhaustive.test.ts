import { beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../support/run-seed.ts';
import { buildFrameWorker, FrameFolder } from './frame-processes.ts';

describe('a death at every commit', () => {
  beforeAll(buildFrameWorker);

  it('loses nothing that was acknowledged, leaves no dangling head, and allows work to continue', async () => {
    const unharmed = await FrameFolder.make();
    const commits = (await unharmed.work('never', 0)) ?? 0;
    const expected = (await unharmed.heads())['.'];
    expect(commits).toBeGreaterThan(8);
    const counts = Array.from({ length: commits }, (_, i) => i + 1);
    const boundaries = counts.flatMap((count) => [['before', count] as const, ['after', count] as const]);
    for (const [where, count] of shareOf(boundaries, 3)) {
      const folder = await FrameFolder.make();
      expect(await folder.work(where, count)).toBeUndefined();
      await folder.heads();
      await folder.work('never', 0);
      expect((await folder.heads())['.']).toBe(expected);
    }
  });

  it('in any of two writers, two regenerations, a scan and a watch at once affects none of the others', async () => {
    const doomed = ['write', 'write', 'regenerate', 'regenerate', 'scan', 'watch'];
    for (let count = 1; count <= 9; count++) {
      const folder = await FrameFolder.make();
      const ones = doomed.map((task, place) => {
        const dies = count % doomed.length === place && task !== 'watch';
        return folder.start(dies ? 'after' : 'never', dies ? count : 0, `words of ${place}`, task);
      });
      const watch = ones.pop();
      await Promise.all(ones.map(({ ended }) => ended));
      watch?.kill();
      await watch?.ended;
      await folder.heads();
      await folder.work('never', 0);
      expect(Object.values(await folder.heads())).not.toContain(undefined);
    }
  });

  it('while another process works does not affect it', async () => {
    for (let count = 1; count <= 10; count++) {
      const folder = await FrameFolder.make();
      await Promise.all([
        folder.work('after', count, 'ones'),
        folder.work('never', 0, 'twos'),
        folder.work('never', 0, 'threes'),
      ]);
      await folder.heads();
      expect(await folder.framesOf('a.txt')).toBeGreaterThanOrEqual(2);
    }
  });
});
