import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../config/index.ts';

export interface RecordedProcess {
  readonly pid: number;
  /** Suspended, such as by SIGSTOP; false if the system cannot tell. */
  readonly stopped: boolean;
}

/** The record file of the daemon or of an agent host. */
export function recordOf(workspace: string, agent?: string): string {
  return join(workspace, '.oka', 'run', `${agent === undefined ? 'daemon' : `agent-${agent}`}.json`);
}

/** The recorded process if it exists. Without a start time from the system, its pid may have been reused. */
export function recordedProcess(record: string): RecordedProcess | undefined {
  try {
    const { pid, owner } = readJsonFile(record) as { pid: number; owner?: string };
    if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
    process.kill(pid, 0);
    const stat = statOf(pid);
    const started = /#([1-9]\d*)$/.exec(owner ?? '')?.[1];
    const isReused = stat !== undefined && started !== undefined && stat.started !== started;
    return isReused || stat?.state === 'Z' ? undefined : { pid, stopped: isSuspended(stat?.state) };
  } catch {
    return undefined;
  }
}

export function isStopped(pid: number): boolean {
  return isSuspended(statOf(pid)?.state);
}

function isSuspended(state: string | undefined): boolean {
  return state === 'T' || state === 't';
}

/** Parses /proc/PID/stat after the last `)`, because the command name may contain anything. */
function statOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
