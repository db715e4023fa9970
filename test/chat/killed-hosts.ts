// Agent hosts that are killed (SIGKILL) at a chosen commit, and others that continue after them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { refillFolder } from '../support/refill-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { counting, ROOM, writeRoom } from './chat-room.ts';

let worker = '';

export async function buildHost(): Promise<void> {
  worker = await bundleWorker(join(import.meta.dirname, 'host-worker.ts'), { whole: true });
}

export type Boundary = readonly ['before' | 'after' | 'never', number];

/** A conversation with a waiting chain of ten turns, which can be restored for every attempt. */
export class WaitingChain {
  readonly #root = join(tempFolder(), 'work');
  readonly #home = join(tempFolder(), 'home');
  readonly #snapshot = join(tempFolder(), 'snapshot');

  async prepare(): Promise<void> {
    mkdirSync(this.#root);
    writeRoom(this.#root, this.#home, counting(['ann', 'bob'], TURNS));
    await this.#using(async (oka) => {
      await oka.chat.create({ name: ROOM, by: 'ann' });
      await oka.chat.send({ conversation: ROOM, text: '@ann hop 1', by: 'ann' });
    });
    cpSync(this.#root, this.#snapshot, { recursive: true });
  }

  restore(): void {
    refillFolder(this.#root, this.#snapshot, this.#home);
  }

  /** Answers until nothing is open; undefined when the host was killed before. */
  host([where, n]: Boundary): { commits: number } | undefined {
    const args = [worker, this.#root, this.#home, where, String(n)];
    const { signal, status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (signal === 'SIGKILL') return undefined;
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as { commits: number };
  }

  /** Checks that every turn was answered once, and verifies the ledger with its tables. */
  async expectWhole(at: string): Promise<void> {
    await this.#using(async (oka) => {
      const { messages } = await oka.chat.view({ conversation: ROOM });
      const hops = Array.from(
        { length: TURNS - 1 },
        (_, i) => `@${i % 2 === 0 ? 'bob' : 'ann'} hop ${i + 2}`,
      );
      expect(
        messages.map(({ content }) => content),
        at,
      ).toEqual(['@ann hop 1', ...hops, 'That was the last.']);
      const trace = await oka.chat.trace(ROOM);
      expect(
        trace.map(({ status }) => status),
        at,
      ).toEqual(Array(TURNS).fill('done'));
      expect(
        trace.reduce((sum, { attempts }) => sum + attempts, 0),
        at,
      ).toBeLessThanOrEqual(TURNS + 1);
      expect(await oka.runs.list({ limit: 99 }), at).toHaveLength(TURNS);
      expect(await oka.ledger.verify({ full: true }), at).toMatchObject({ faults: [] });
    });
  }

  async #using(work: (oka: Oka) => Promise<void>): Promise<void> {
    const oka = new Oka({ workspace: this.#root, home: this.#home });
    try {
      await work(oka);
    } finally {
      await oka.close();
    }
  }
}

const TURNS = 10;
