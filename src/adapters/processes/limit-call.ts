// Owns: the limits of a call as a whole: by a control group where this process may make one, else by a watcher.
import type { Clock } from '../../kernel/index.ts';
import { ControlGroup } from './control-group.ts';
import type { CallLimiter, ResourceLimits } from './resource-limits.ts';
import { TreeWatcher } from './tree-watcher.ts';
import { processError } from './workspace-programs.ts';

interface CallLimits {
  readonly words: readonly string[];
  readonly enforcedBy: string;
  /** Fails with `process.memory_exceeded` if something was ended because of the limits. */
  requireWithin(): void;
  /** Releases the limits, when the program has ended. */
  remove(): void;
}

/** Limits a program with everything that it starts. */
export function limitCall(
  program: string,
  {
    shell,
    limits,
    clock,
  }: { readonly shell: string; readonly limits: ResourceLimits; readonly clock: Clock },
): CallLimits {
  const group = ControlGroup.make(limits, shell);
  const limiter: CallLimiter = group ?? new TreeWatcher(limits, clock);
  return {
    words: limiter.enter(shell),
    enforcedBy: group === undefined ? 'rlimit and watcher' : 'rlimit and cgroup',
    requireWithin: () => {
      if (!limiter.exceeded()) return;
      const { memoryMb } = limits;
      throw processError(
        'process.memory_exceeded',
        program,
        `"${program}" was stopped: with the processes that it started it used more than ${memoryMb} MB of memory or ${limits.processes} processes. Start less at once, or raise "memory_mb" or "processes" of "sandbox_limits" in your own configuration.`,
        { data: { memoryMb, processes: limits.processes } },
      );
    },
    remove: () => limiter.remove(),
  };
}
