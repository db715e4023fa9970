// Processes that work on the context of a folder of the test's own, and what they leave behind.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';

let worker = '';
const FILES = { 'a.txt': 'alpha', 'src/b.txt': 'beta', 'src/deep/c.txt': 'gamma' };
const PATHS = ['a.txt', 'src/b.txt', 'src/deep/c.txt', 'src/deep', 'src', '.'];

export async function buildFrameWorker(): Promise<void> {
  worker = await bundleWorker(join(import.meta.dirname, 'frame-worker.ts'), { whole: true });
}

/** A trusted workspace with a few files. */
export class FrameFolder {
  readonly workspace: string;
  readonly home: string;

  private constructor() {
    const root = tempFolder();
    this.workspace = join(root, 'work');
    this.home = join(root, 'home');
    mkdirSync(this.home);
    for (const [path, content] of Object.entries(FILES)) {
      mkdirSync(dirname(join(this.workspace, path)), { recursive: true });
      writeFileSync(join(this.workspace, path), content);
    }
  }

  static async make(): Promise<FrameFolder> {
    const folder = new FrameFolder();
    const oka = new Oka(folder);
    await oka.init({ trust: true });
    await oka.close();
    return folder;
  }

  /** Runs the worker to its end or its death; answers with how many commits it made, undefined when it was killed. */
  work(where: string, count: number, words = 'words', task = 'write'): Promise<number | undefined> {
    return this.start(where, count, words, task).ended;
  }

  start(where: string, count: number, words: string, task: string) {
    const told = [this.workspace, this.home, where, String(count), words, task];
    const child = spawn(process.execPath, [worker, ...told]);
    let [out, complaint] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => {
      out += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      complaint += piece.toString();
    });
    const ended = new Promise<number | undefined>((resolve, reject) => {
      child.on('close', (code, signal) => {
        if (signal === 'SIGKILL') resolve(undefined);
        else if (code === 0) resolve((JSON.parse(out) as { commits: number }).commits);
        else reject(new Error(complaint));
      });
    });
    return { ended, kill: () => void child.kill('SIGKILL') };
  }

  /** Requires that nothing is damaged, and gives the heads of every path. */
  async heads(): Promise<Readonly<Record<string, string | undefined>>> {
    const oka = new Oka(this);
    try {
      expect(await oka.context.validate()).toEqual({ ok: true, faults: [] });
      expect(await oka.ledger.verify({ full: true })).toMatchObject({ ok: true });
      const heads: Record<string, string | undefined> = {};
      if ((await oka.context.status()).root === null) return heads;
      for (const path of PATHS)
        heads[path] = (await oka.context.getHead({ node: path, type: 'note' })).head?.id;
      return heads;
    } finally {
      await oka.close();
    }
  }

  /** Every frame that was written about a file. */
  async framesOf(node: string): Promise<number> {
    const oka = new Oka(this);
    const frames = await oka.context.listFrames({ node });
    await oka.close();
    return frames.length;
  }
}
