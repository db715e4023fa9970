import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorker } from '../support/bundle-worker.ts';
import { refillFolder } from '../support/refill-folder.ts';
import { shareOf } from '../support/run-seed.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SECRET = 'an old secret';
let worker = '';

beforeAll(async () => {
  worker = await bundleWorker(join(import.meta.dirname, 'retention-worker.ts'));
});

interface Outcome {
  readonly outcome: string;
  readonly archivedRuns: number;
  readonly erasedEpisodes: number;
}

interface Settled {
  readonly outcomes: readonly [Outcome, Outcome];
}

interface Worked {
  readonly answer: unknown;
  readonly commits: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** A workspace in which two runs and an episode are past their retention; it can be restored. */
class Place {
  readonly #root = tempFolder();
  readonly #workspace = join(this.#root, 'work');
  readonly #snapshot = join(this.#root, 'snapshot');

  constructor() {
    mkdirSync(this.#workspace);
    mkdirSync(join(this.#root, 'home'));
    writeFileSync(join(this.#workspace, 'main.js'), 'start();\n');
    this.work('populate');
    rmSync(join(this.#workspace, 'out.txt'));
    const config = { retention: { runs: '90d', episodes: '12w' } };
    writeFileSync(join(this.#workspace, '.oka', 'config.json'), JSON.stringify(config));
    cpSync(this.#workspace, this.#snapshot, { recursive: true, preserveTimestamps: true });
  }

  restore(): void {
    refillFolder(this.#workspace, this.#snapshot, join(this.#root, 'home'));
  }

  #args(command: string, point: string, n: number): string[] {
    return [worker, this.#workspace, join(this.#root, 'home'), command, point, String(n)];
  }

  /** Undefined when the process was killed. */
  work(command: string, point = 'never', n = 0): Worked | undefined {
    const { signal, status, stderr, stdout } = spawnSync(process.execPath, this.#args(command, point, n), {
      encoding: 'utf8',
    });
    if (signal === 'SIGKILL') return undefined;
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Worked;
  }

  /** Starts maintenance in a process of its own. */
  async start(): Promise<Outcome> {
    const child = spawn(process.execPath, this.#args('maintain', 'never', 0));
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) throw new Error(stderr);
    return (JSON.parse(stdout) as { answer: Outcome }).answer;
  }

  /** The files below `.oka` that contain the secret. */
  whereSecret(): readonly string[] {
    const files = readdirSync(join(this.#workspace, '.oka'), { recursive: true, withFileTypes: true });
    return files
      .filter((file) => file.isFile())
      .filter((file) => readFileSync(join(file.parentPath, file.name), 'latin1').includes(SECRET))
      .map(({ name }) => name);
  }
}

describe('retention', () => {
  it('is finished by the next maintenance after a kill, at a third of all points', () => {
    const place = new Place();
    expect(place.whereSecret()).not.toEqual([]);
    const whole = place.work('maintain');
    expect(whole?.answer).toEqual({ outcome: 'done', archivedRuns: 2, erasedEpisodes: 1 });
    expect(whole?.calls).toMatchObject({ archive: 1, erase: 1, rewrite: 1 });
    const { commits = 0, calls = {} } = whole ?? {};
    const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1);
    const points = [
      // Before the next commit is the same as after this one.
      ...upTo(commits).map((n) => ['after', n] as const),
      ...Object.entries(calls).flatMap(([name, most]) =>
        upTo(most).flatMap((n) => [[`before-${name}`, n] as const, [`after-${name}`, n] as const]),
      ),
    ];
    for (const [point, n] of shareOf(points, 3)) {
      place.restore();
      const where = `${point} ${n}`;
      expect(place.work('maintain', point, n), where).toBeUndefined();
      const settled = place.work('settle')?.answer as Settled;
      expect(settled, where).toMatchObject({ statuses: ['waiting'], open: [], episodes: 0, faults: [] });
      expect(settled.outcomes[1].outcome, where).toBe('nothing_changed');
      if (settled.outcomes[0].outcome === 'done')
        expect(settled.outcomes[0], where).toMatchObject({ archivedRuns: 2, erasedEpisodes: 1 });
      expect(place.whereSecret(), where).toEqual([]);
    }
  });

  it('is applied by one of two processes that start together', async () => {
    const place = new Place();
    const outcomes = await Promise.all([place.start(), place.start()]);
    expect(outcomes.filter(({ archivedRuns }) => archivedRuns === 2).length).toBe(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'busy' || outcome === 'nothing_changed').length).toBe(
      1,
    );
    expect(place.work('settle')?.answer).toMatchObject({ statuses: ['waiting'], open: [], faults: [] });
  });
});
