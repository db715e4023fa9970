import { OkaError } from '../api/index.ts';
import type { SilentDaemon } from './daemon-link.ts';

export interface SilentDaemonText {
  readonly problem: string;
  readonly next: string;
}

/** Describes an unresponsive daemon or agent host, and the next step. */
export function describeSilent(
  { silent, pid, record }: SilentDaemon,
  what = 'The daemon',
  restart = 'oka up',
): SilentDaemonText {
  if (pid === undefined) {
    return {
      problem: `${what} does not respond, and ${record} names no existing process.`,
      next: `Find and end the listening process, then run: ${restart}`,
    };
  }
  const end = `end it with: kill -9 ${pid}, then run: ${restart}`;
  if (silent === 'stopped') {
    return {
      problem: `${what} is stopped: process ${pid} is suspended.`,
      next: `Continue it with: kill -CONT ${pid}. Or ${end}`,
    };
  }
  return { problem: `${what} does not respond: process ${pid}.`, next: `If this persists, ${end}` };
}

export function silentError(found: SilentDaemon, what?: string, restart?: string): OkaError {
  const { problem, next } = describeSilent(found, what, restart);
  const { silent: state, pid } = found;
  return new OkaError('daemon.unreachable', `${problem} ${next}.`, {
    data: { state, ...(pid === undefined ? {} : { pid }) },
  });
}
