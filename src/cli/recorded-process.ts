import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process that says in its workspace that it is there. */
export interface RecordedProcess {
  readonly pid: number;
  /** True when it is suspended, as by SIGSTOP; false where the system does not tell. */
  readonly stopped: boolean;
}

/** The file in which the daemon, or the host of an agent, says that it is there. */
export function recordOf(workspace: string, agent?: string): string {
  return join(workspace, '.oka', 'run', `${agent === undefined ? 'daemon' : `agent-${agent}`}.json`);
}

/** The process that a record names, while it exists. Where the system does not tell when it started it may be another. */
export function recordedProcess(record: string): RecordedProcess | undefined {
  try {
    const { pid, owner } = JSON.parse(readFileSync(record, 'utf8')) as { pid: number; owner?: string };
    if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
    process.kill(pid, 0);
    const stat = statOf(pid);
    const started = /#([1-9]\d*)$/.exec(owner ?? '')?.[1];
    const isAnother = stat !== undefined && started !== undefined && stat.started !== started;
    return isAnother || stat?.state === 'Z' ? undefined : { pid, stopped: isSuspended(stat?.state) };
  } catch {
    return undefined;
  }
}

/** Whether a process is suspended; false where the system does not tell. */
export function isStopped(pid: number): boolean {
  return isSuspended(statOf(pid)?.state);
}

function isSuspended(state: string | undefined): boolean {
  return state === 'T' || state === 't';
}

/** State and start of a process, of /proc/PID/stat; the command before them may contain anything. */
function statOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
