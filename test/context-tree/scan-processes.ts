import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
const worker = join(cache, 'scan-worker.mjs');

/** Builds the program aside and puts it in place whole, because several test files may do so at once. */
export async function buildScanWorker(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const part = `${worker}.${process.pid}.mjs`;
  await build({
    entryPoints: [join(import.meta.dirname, 'scan-worker.ts')],
    outfile: part,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@photostructure/sqlite', '@parcel/watcher', 'pg-native'],
    define: { __OKA_VERSION__: '"test"' },
    banner: {
      js: "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  renameSync(part, worker);
}

/** A process of its own that scans or watches. */
export class ScanProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  readonly #lines: string[] = [];
  #wake: () => void = () => undefined;

  constructor(workspace: string, where: 'before' | 'after' | 'never', what: 'scan' | 'watch') {
    this.#child = spawn(process.execPath, [worker, workspace, where, what], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#ended = new Promise((resolve) =>
      this.#child.on('close', (code, signal) => {
        this.#wake();
        resolve(signal ?? `${code}`);
      }),
    );
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        this.#lines.push(line);
        this.#wake();
      });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  /** What it says next. */
  async line(): Promise<string | undefined> {
    while (this.#lines.length === 0 && this.#child.exitCode === null && this.#child.signalCode === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#lines.shift();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** How it ended: the signal or the exit code. */
  ended(): Promise<string> {
    return this.#ended;
  }
}
