// Owns: the limits on what a program may use. A shell sets those of each process and becomes the program.
export interface ResourceLimits {
  /** All memory of the call, and the data of each process; reserved address space does not count. */
  readonly memoryMb: number;
  /** Each private folder of the sandbox; what is in them counts as memory. */
  readonly temporaryMb: number;
  readonly processes: number;
  readonly fileMb: number;
  readonly cpuSeconds: number;
  readonly openFiles: number;
}

export const DEFAULT_LIMITS: ResourceLimits = {
  memoryMb: 8_192,
  temporaryMb: 2_048,
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

/** What limits a call as a whole. */
export interface CallLimiter {
  /** The words that put a program and what it starts under the limits. */
  enter(shell: string): readonly string[];
  /** Whether something was ended because of the limits. */
  exceeded(): boolean;
  /** Releases it, when the program has ended. */
  remove(): void;
}
