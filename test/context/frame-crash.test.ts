import { beforeAll, describe, expect, it } from 'vitest';
import { buildFrameWorker, FrameFolder } from './frame-processes.ts';

beforeAll(buildFrameWorker);

describe('tool failures do not corrupt storage', () => {
  it('a process killed in the middle leaves whole frames, and the next one continues from them', async () => {
    const folder = await FrameFolder.make();
    expect(await folder.work('before', 6)).toBeUndefined();
    const left = await folder.heads();
    expect(left['src/b.txt']).toBeDefined();
    expect(left['.']).toBeUndefined();
    await folder.work('never', 0);
    const heads = await folder.heads();
    expect(heads['src/b.txt']).toBe(left['src/b.txt']);
    expect(Object.values(heads)).not.toContain(undefined);
    expect(await folder.framesOf('a.txt')).toBe(1);
  });

  it('two processes that scan, write and regenerate at once lose no frame and damage nothing', async () => {
    const folder = await FrameFolder.make();
    await Promise.all([folder.work('never', 0, 'ones'), folder.work('never', 0, 'twos')]);
    await folder.heads();
    expect(await folder.framesOf('a.txt')).toBe(2);
    expect(await folder.framesOf('src/b.txt')).toBe(4);
  });
});
