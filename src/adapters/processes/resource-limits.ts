// Owns: the limits on what a program may use: a shell sets them and becomes the program. Where resource limits do not bind
// (the number of processes, for the administrator), a control group does.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '../../kernel/index.ts';

export interface ResourceLimits {
  /** The data of each process; reserved address space does not count. */
  readonly memoryMb: number;
  readonly processes: number;
  readonly fileMb: number;
  readonly cpuSeconds: number;
  readonly openFiles: number;
}

export const DEFAULT_LIMITS: ResourceLimits = {
  memoryMb: 8_192,
  processes: 1_024,
  fileMb: 8_192,
  cpuSeconds: 7_200,
  openFiles: 4_096,
};

/** The name that the shell reports errors under, so that they are told from the program's own. */
export const LAUNCHER = 'oka-launcher';

/** The words before a program that set its limits. `-p` is the number of processes in most shells and `-u` in bash. */
export function limitArguments(shell: string, limits: ResourceLimits, how: 'exec' | 'child'): string[] {
  const { memoryMb, processes, fileMb, cpuSeconds, openFiles } = limits;
  const lines = [
    `ulimit -c 0`,
    `ulimit -d ${memoryMb * 1_024}`,
    `ulimit -f ${fileMb * 2_048}`,
    `ulimit -t ${cpuSeconds}`,
    `ulimit -n ${openFiles}`,
    `ulimit -p ${processes} || ulimit -u ${processes}`,
  ].map((line) => `{ ${line}; } 2>/dev/null`);
  // A parent that stays has the program's own environment, not that of Oka.
  const start = how === 'exec' ? 'exec "$@"' : '"$@"; exit $?';
  return [shell, '-c', [...lines, start].join('; '), LAUNCHER];
}

const REMOVALS = 10;
const REMOVAL_PAUSE_MS = 100;
const GROUPS = '/sys/fs/cgroup';

/** A control group for one program, where this process may make one. */
export class ControlGroup {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined where it is not needed or not possible. */
  static make(limits: ResourceLimits): ControlGroup | undefined {
    if (process.getuid?.() !== 0) return undefined;
    const parent = [join(GROUPS, 'pids'), GROUPS].find((folder) => existsSync(join(folder, 'cgroup.procs')));
    if (parent === undefined) return undefined;
    const folder = join(parent, `oka-${process.pid}-${systemRandom.hex(4)}`);
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pids.max'), String(limits.processes));
      return new ControlGroup(folder);
    } catch {
      new ControlGroup(folder).remove();
      return undefined;
    }
  }

  /** The words that put a program into the group before it starts. */
  enter(shell: string): readonly string[] {
    return [shell, '-c', 'echo 0 > "$1" && shift && exec "$@"', LAUNCHER, join(this.#folder, 'cgroup.procs')];
  }

  /** Removes the group. The kernel refuses that until the last process, which was killed, is gone. */
  remove(attempts = REMOVALS): void {
    try {
      if (existsSync(this.#folder)) rmdirSync(this.#folder);
    } catch {
      if (attempts > 0) setTimeout(() => this.remove(attempts - 1), REMOVAL_PAUSE_MS).unref();
    }
  }
}
