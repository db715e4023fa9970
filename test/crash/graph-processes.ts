// Processes that run graphs in a temporary folder, and what they leave behind.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { CheckpointView } from '../../src/api/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';

let worker = '';

export async function buildWorker(): Promise<void> {
  worker = await bundleWorker(join(import.meta.dirname, 'graph-worker.ts'), { whole: true });
}

export interface Worked {
  readonly id: string;
  readonly status: string;
  readonly output: Json;
  readonly failure?: string;
  /** The output of each node that was left. */
  readonly outputs: Readonly<Record<string, Json>>;
}

/** Where the process dies: before or after its n-th commit. */
export type Boundary = readonly ['before' | 'after' | 'never', number];

export const NEVER: Boundary = ['never', 0];

export class GraphFolder {
  readonly workspace: string;
  readonly #notes: string;
  readonly #home: string;

  constructor(graphs: readonly { readonly id: string }[]) {
    const root = tempFolder();
    this.workspace = join(root, 'work');
    this.#notes = join(root, 'notes');
    this.#home = join(root, 'home');
    for (const folder of [this.workspace, this.#notes, this.#home]) mkdirSync(folder);
    new WorkspaceFolder(this.workspace).create();
    writeFileSync(join(this.workspace, 'notes.txt'), 'beds and paths');
    for (const graph of graphs)
      writeFileSync(join(this.workspace, `${graph.id}.json`), JSON.stringify(graph));
  }

  /** Works until the end or the boundary; undefined when it was killed there. */
  work(boundary: Boundary, ...command: readonly string[]): Worked | undefined {
    return settled(spawnSync(process.execPath, this.#argv(boundary, command), { encoding: 'utf8' }));
  }

  /** The same, while others work too. */
  async workBeside(...command: readonly string[]): Promise<Worked> {
    const child = spawn(process.execPath, this.#argv(NEVER, command), { stdio: ['ignore', 'pipe', 'pipe'] });
    const heard = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      heard.stderr += text;
    });
    const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.on('close', (exitCode, killed) => resolve([exitCode, killed]));
    });
    return settled({ status, signal, ...heard }) as Worked;
  }

  #argv([where, n]: Boundary, command: readonly string[]): string[] {
    return [worker, this.workspace, this.#notes, where, String(n), ...command];
  }

  /** Continues the run of a killed process, or starts one if there is none. */
  async continueRun(boundary: Boundary, start: readonly string[]): Promise<Worked | undefined> {
    const [left] = await this.runs();
    return this.work(boundary, ...(left === undefined ? start : ['resume', left]));
  }

  /** The root runs, newest first. */
  runs(): Promise<string[]> {
    return this.#using(async (oka) => {
      const runs = await oka.runs.list({ limit: 100 });
      return runs.flatMap(({ id, parent }) => (parent === undefined ? [id] : []));
    });
  }

  /** How many commits were made so far. */
  commits(): number {
    return this.#lines(join(this.#notes, 'commits')).join('').length;
  }

  /** The lines that effects have appended. */
  effects(): string[] {
    return this.#lines(join(this.workspace, 'effects.txt'));
  }

  /** The effects that a person confirmed as done; their output is unknown. */
  toldDone(): string[] {
    return this.#lines(join(this.#notes, 'told')).flatMap((line) =>
      line.startsWith('done ') ? [line.slice('done '.length)] : [],
    );
  }

  /** The state before each node, from the last checkpoint at it. */
  lasts(run: string): Promise<Readonly<Record<string, Json>>> {
    return this.#using(async (oka) => {
      const checkpoints: readonly CheckpointView[] = await oka.graphs.state.checkpoints(run);
      return Object.fromEntries(checkpoints.map(({ node, last }) => [node, last ?? null]));
    });
  }

  /** Verifies the ledger, and that tables rebuilt from its events are the same. */
  async expectSound(): Promise<void> {
    await this.#using(async (oka) => {
      expect(await oka.ledger.verify({ full: true })).toMatchObject({ faults: [], mirrorEqual: true });
    });
  }

  async #using<T>(work: (oka: Oka) => Promise<T>): Promise<T> {
    const oka = new Oka({ workspace: this.workspace, home: this.#home });
    try {
      return await work(oka);
    } finally {
      await oka.close();
    }
  }

  #lines(file: string): string[] {
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }
}

type Ended = Pick<SpawnSyncReturns<string>, 'status' | 'signal' | 'stdout' | 'stderr'>;

function settled({ status, signal, stdout, stderr }: Ended): Worked | undefined {
  if (signal === 'SIGKILL') return undefined;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Worked;
}
