import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorker } from '../support/bundle-worker.ts';
import { refillFolder } from '../support/refill-folder.ts';
import { shareOf } from '../support/run-seed.ts';
import { tempFolder } from '../support/temp-folder.ts';

let worker = '';

beforeAll(async () => {
  worker = await bundleWorker(join(import.meta.dirname, 'maintenance-worker.ts'));
});

interface Settled {
  readonly outcomes: readonly string[];
  readonly facts: readonly string[];
  readonly open: readonly unknown[];
  readonly faults: readonly unknown[];
}

/** A workspace with something for every step to do, which can be had again and again. */
class Place {
  readonly #root = tempFolder();
  readonly #workspace = join(this.#root, 'work');
  readonly #snapshot = join(this.#root, 'snapshot');

  constructor() {
    mkdirSync(this.#workspace);
    mkdirSync(join(this.#root, 'home'));
    writeFileSync(join(this.#workspace, 'main.js'), 'start(); // TODO stop\n');
    this.work('populate');
    cpSync(this.#workspace, this.#snapshot, { recursive: true });
  }

  restore(): void {
    refillFolder(this.#workspace, this.#snapshot, join(this.#root, 'home'));
  }

  work(command: string, where = 'never', count = 0): { killed: boolean; answer?: unknown; commits?: number } {
    const args = [worker, this.#workspace, join(this.#root, 'home'), command, where, String(count)];
    const { signal, status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (signal === 'SIGKILL') return { killed: true };
    if (status !== 0) throw new Error(stderr);
    return { killed: false, ...(JSON.parse(stdout) as { answer: unknown; commits: number }) };
  }

  /** Every derived file; the ids of facts are made anew each time. */
  files(): readonly (readonly [string, string])[] {
    return ['brain', 'memory'].flatMap((folder) => {
      const place = join(this.#workspace, '.oka', folder);
      return readdirSync(place)
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => [name, withoutIds(readFileSync(join(place, name), 'utf8'))] as const);
    });
  }
}

function withoutIds(text: string): string {
  return text.replace(/sha256:\w+/, '').replaceAll(/fact get [\w-]+/g, 'fact get …');
}

describe('maintenance that is killed', () => {
  it('at any commit and any file continues to the same facts and files, with nothing lost or doubled', () => {
    const place = new Place();
    const { commits = 0, answer } = place.work('maintain');
    expect(answer).toBe('done');
    expect(commits).toBeGreaterThan(10);
    const files = place.files();
    expect(files.length).toBeGreaterThan(1);
    const numbers = Array.from({ length: commits }, (_, i) => i + 1);
    const boundaries = numbers.flatMap((n) => [['before', n] as const, ['after', n] as const]);
    const points: readonly (readonly [string, number])[] = [
      ...shareOf(boundaries, 3),
      ['file', 1],
      ['file', 2],
    ];
    for (const [where, n] of points) {
      place.restore();
      const point = `${where} ${n}`;
      expect(place.work('maintain', where, n).killed, point).toBe(true);
      const settled = place.work('settle').answer as Settled;
      // After the last commit there is nothing left to do.
      expect(['done', 'nothing_changed'], point).toContain(settled.outcomes[0]);
      expect(settled, point).toMatchObject({ open: [], faults: [] });
      expect(settled.outcomes[1], point).toBe('nothing_changed');
      expect(settled.facts, point).toEqual([
        'I prefer short answers',
        'My editor is emacs',
        'Tea is served.',
        'We use pnpm',
        'the release is on Friday',
      ]);
      expect(place.files(), point).toEqual(files);
    }
  });
});
