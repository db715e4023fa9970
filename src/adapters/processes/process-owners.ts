import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Owners } from '../../engine/index.ts';

/** Identifies processes as `pid@host#start`, so that a reused pid is not mistaken for the earlier process. */
export function processOwners(): Owners {
  const host = hostname();
  const self = `${process.pid}@${host}#${startOf(process.pid) ?? '0'}`;
  return {
    self,
    isAlive(owner) {
      if (owner === self) return true;
      const parts = /^(\d+)@(.*)#(\d+)$/.exec(owner);
      if (parts === null) return false;
      const [, pid, where, start] = parts as unknown as [string, string, string, string];
      // A process on another machine cannot be checked from here, so it counts as alive.
      if (where !== host) return true;
      return (
        isRunning(Number(pid)) &&
        (start === '0' || startOf(Number(pid)) === undefined || startOf(Number(pid)) === start)
      );
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  return statOf(pid)?.[0] === 'Z';
}

/** The start time of a process in clock ticks since boot; undefined if the system does not provide it. */
function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** The fields of /proc/PID/stat from the state on; the command before it may contain any character. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
