// Processes that work on the context of a folder of the test's own, and what they leave behind.
import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const worker = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'frame-worker.mjs');
const FILES = { 'a.txt': 'alpha', 'src/b.txt': 'beta', 'src/deep/c.txt': 'gamma' };
const PATHS = ['a.txt', 'src/b.txt', 'src/deep/c.txt', 'src/deep', 'src', '.'];

/** Builds the program aside and puts it in place whole, because several test files do so at once. */
export async function buildFrameWorker(): Promise<void> {
  const part = `${worker}.${process.pid}.mjs`;
  await build({
    entryPoints: [join(import.meta.dirname, 'frame-worker.ts')],
    outfile: part,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@photostructure/sqlite', '@parcel/watcher'],
    define: { __OKA_VERSION__: '"test"' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  renameSync(part, worker);
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
  work(where: string, count: number, words = 'words'): Promise<number | undefined> {
    const child = spawn(process.execPath, [worker, this.workspace, this.home, where, String(count), words]);
    let [out, complaint] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => {
      out += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      complaint += piece.toString();
    });
    return new Promise((resolve, reject) => {
      child.on('close', (code, signal) => {
        if (signal === 'SIGKILL') resolve(undefined);
        else if (code === 0) resolve((JSON.parse(out) as { commits: number }).commits);
        else reject(new Error(complaint));
      });
    });
  }

  /** Requires that nothing is damaged, and gives the heads of every path. */
  async heads(): Promise<Readonly<Record<string, string | undefined>>> {
    const oka = new Oka(this);
    try {
      expect(await oka.context.validate()).toEqual({ ok: true, faults: [] });
      expect(await oka.ledger.verify({ repair: false })).toMatchObject({ ok: true, mirrorEqual: true });
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
