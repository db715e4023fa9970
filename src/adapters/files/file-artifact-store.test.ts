import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { artifactStoreConformance } from '../../engine/artifact-store.conformance.ts';
import { digestOf, systemClock } from '../../kernel/index.ts';
import { FileArtifactStore } from './file-artifact-store.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oka-artifacts-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

artifactStoreConformance(
  'FileArtifactStore',
  (clock) => new FileArtifactStore(join(directory, 'not made yet'), clock),
);

describe('FileArtifactStore', () => {
  const content = 'content';
  const digest = digestOf(content);
  const about = { mediaType: 'text/plain' };
  const path = (): string => join(directory, digest.slice(0, 2), digest.slice(2));

  it('stores each artifact in a private file named after its digest, and nothing else', async () => {
    await new FileArtifactStore(directory, systemClock).put(content, about);
    expect(await readFile(path(), 'utf8')).toBe(content);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await readdir(join(directory, digest.slice(0, 2)))).toEqual([digest.slice(2)]);
  });

  it('rejects content that does not match its digest', async () => {
    const store = new FileArtifactStore(directory, systemClock);
    await store.put(content, about);
    await writeFile(path(), 'cOntent');
    await expect(store.get(digest)).rejects.toMatchObject({
      code: 'engine.artifact_damaged',
      data: { digest },
    });
  });

  it.each([
    ['was cut short', 'con'],
    ['has other bytes', 'cOntent'],
  ])('replaces a file that %s', async (_, damaged) => {
    const store = new FileArtifactStore(directory, systemClock);
    await store.put(content, about);
    await writeFile(path(), damaged);
    await store.put(content, about);
    expect(new TextDecoder().decode(await store.get(digest))).toBe(content);
  });

  it('lists only artifacts', async () => {
    const store = new FileArtifactStore(directory, systemClock);
    await store.put(content, about);
    await writeFile(join(directory, digest.slice(0, 2), '.0123.tmp'), 'left by a crash');
    await writeFile(join(directory, 'stray'), '');
    expect((await store.list()).map((entry) => entry.digest)).toEqual([digest]);
  });

  it('reports errors of the disk', async () => {
    await mkdir(path(), { recursive: true });
    const store = new FileArtifactStore(directory, systemClock);
    await expect(store.get(digest)).rejects.toMatchObject({ code: 'files.not_a_file' });
    await expect(store.put(content, about)).rejects.toMatchObject({ name: 'OkaError' });
    expect(await readdir(join(directory, digest.slice(0, 2)))).toEqual([digest.slice(2)]);
  });
});
