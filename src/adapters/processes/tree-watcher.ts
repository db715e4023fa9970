// Owns: the limits of a call where no control group can be made: its memory and its processes are counted a few times a second.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { type CallLimiter, LAUNCHER, type ResourceLimits } from './resource-limits.ts';

const INTERVAL_MS = 250;
/** The sandbox has processes of its own. */
const OWN_PROCESSES = 8;
const PRIVATE_FOLDERS = ['/tmp', '/dev/shm'];

/** Ends a program with everything that it started when together they use too much. */
export class TreeWatcher implements CallLimiter {
  readonly #folder: string;
  readonly #limits: Pick<ResourceLimits, 'memoryMb' | 'processes'>;
  readonly #clock: Clock;
  #cancel: () => void;
  #exceeded = false;

  constructor(limits: Pick<ResourceLimits, 'memoryMb' | 'processes'>, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#folder = mkdtempSync(join(tmpdir(), `oka-watched-${process.pid}-`));
    this.#cancel = this.#schedule();
  }

  get #file(): string {
    return join(this.#folder, 'pid');
  }

  /** The shell says which process becomes the program. */
  enter(shell: string): readonly string[] {
    return [shell, '-c', 'echo $$ > "$1" && shift && exec "$@"', LAUNCHER, this.#file];
  }

  exceeded(): boolean {
    return this.#exceeded;
  }

  remove(): void {
    this.#cancel();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #schedule(): () => void {
    return this.#clock.callAt(this.#clock.now() + INTERVAL_MS, () => {
      this.#look();
      this.#cancel = this.#schedule();
    });
  }

  #look(): void {
    const pids = processTree(Number(read(this.#file)));
    const { memoryMb, processes } = this.#limits;
    if (pids.length <= processes + OWN_PROCESSES && !usesMore(pids, memoryMb * 1_024 * 1_024)) return;
    this.#exceeded = true;
    for (const pid of pids)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
  }
}

/** A process and its descendants. In a process namespace, nothing that a program starts gets another parent outside. */
function processTree(root: number): readonly number[] {
  if (!(root > 0)) return [];
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    // The name of a program, which may contain anything, is in parentheses.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Shared memory counts once. What is resident counts it several times, and is quick to read. */
function usesMore(pids: readonly number[], bytes: number): boolean {
  const folders = privateBytes(pids.at(-1));
  const resident = (pid: number): number => kilobytes(read(`/proc/${pid}/status`), 'VmRSS');
  const proportional = (pid: number): number =>
    kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss') || resident(pid);
  return [resident, proportional].every(
    (measure) => folders + pids.reduce((sum, pid) => sum + measure(pid), 0) > bytes,
  );
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1_024;
}

/** What is in the private folders of a sandbox, which are in memory. */
function privateBytes(pid: number | undefined): number {
  const used = PRIVATE_FOLDERS.map((folder) => {
    try {
      const inside = `/proc/${pid}/root${folder}`;
      if (statSync(inside).dev === statSync(folder).dev) return 0;
      const { blocks, bfree, bsize } = statfsSync(inside);
      return (blocks - bfree) * bsize;
    } catch {
      // The process has ended.
      return 0;
    }
  });
  return used.reduce((sum, bytes) => sum + bytes, 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
