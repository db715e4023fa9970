import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { openProcesses } from '../../src/runtime/process/open-processes.ts';
import { OpenWorkspace } from '../../src/runtime/services/open-workspace.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { trustFolder } from '../support/trust-folder.ts';

class Place {
  readonly home: string;
  readonly workspace: string;

  constructor(root = tempFolder(), name = 'work') {
    this.home = join(root, 'home');
    this.workspace = join(root, name);
    mkdirSync(this.workspace, { recursive: true });
  }

  put(name: string, says: string): void {
    const file = join(this.workspace, '.oka', 'tools', 'bin', name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho ${says}\n`);
    chmodSync(file, 0o755);
  }

  async with<T>(work: (oka: Oka) => Promise<T>): Promise<T> {
    const oka = new Oka(this);
    try {
      return await work(oka);
    } finally {
      await oka.close();
    }
  }

  /** What a program printed, or why it did not run. */
  async run(...argv: string[]): Promise<string> {
    const services = new OpenWorkspace({
      ...this,
      graphs: () => Promise.reject(new Error('no graphs here')),
    });
    try {
      await services.trust.ready();
      const processes = openProcesses(services, await services.config());
      return (await processes.run({ argv, timeoutMs: 60_000 }, new AbortController().signal)).stdout.trim();
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await services.close();
    }
  }
}

const MISSING = 'process.program_missing';

it('a program in .oka/tools/bin runs by its name once its content is approved, until it changes', async () => {
  const place = new Place();
  await place.with((oka) => oka.init({ trust: true }));
  place.put('oka-test-own', 'one');
  expect(await place.run('oka-test-own')).toBe(MISSING);
  const { items } = await place.with((oka) => oka.trust.show());
  expect(items).toMatchObject([{ kind: 'program', name: 'oka-test-own', state: 'new' }]);
  await place.with((oka) => oka.init({ trust: true }));
  expect(await place.run('oka-test-own')).toBe('one');
  expect(await place.run('env', 'oka-test-own')).toBe('one');
  place.put('oka-test-own', 'two');
  expect(await place.run('oka-test-own')).toBe(MISSING);
  place.put('oka-test-own', 'one');
  expect(await place.run('oka-test-own')).toBe('one');
  // A link leads to another file, which was not approved under this name.
  symlinkSync('oka-test-own', join(place.workspace, '.oka', 'tools', 'bin', 'oka-test-alias'));
  expect(await place.run('oka-test-alias')).toBe(MISSING);
});

it('a program that came with a clone does not run, also not in a folder that an earlier version trusted', async () => {
  const root = tempFolder();
  const place = new Place(root);
  await place.with((oka) => oka.init({ trust: true }));
  place.put('oka-test-own', 'one');
  await place.with((oka) => oka.init({ trust: true }));
  const clone = new Place(root, 'clone');
  cpSync(place.workspace, clone.workspace, { recursive: true });
  expect(await clone.run('oka-test-own')).toBe(MISSING);
  trustFolder(clone.home, clone.workspace);
  expect(await clone.run('oka-test-own')).toBe(MISSING);
});

it.each([1, 2, 3])('runs exactly the content that was approved, seed %i', async (seed) => {
  const random = seededRandom(seed);
  const place = new Place();
  await place.with((oka) => oka.init({ trust: true }));
  const [now, approved] = [new Map<string, string>(), new Map<string, string>()];
  for (let step = 0; step < 8; step++) {
    const name = `oka-test-${Math.floor(random.next() * 3)}`;
    if (random.next() < 0.7) {
      const says = `said-${Math.floor(random.next() * 2)}`;
      place.put(name, says);
      now.set(name, says);
    } else {
      await place.with((oka) => oka.init({ trust: true }));
      for (const [one, says] of now) approved.set(one, says);
    }
    const expected = now.has(name) && now.get(name) === approved.get(name) ? now.get(name) : MISSING;
    expect(await place.run(name), `${name} at step ${step}`).toBe(expected);
  }
});
