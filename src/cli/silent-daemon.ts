import { OkaError } from '../api/index.ts';
import type { SilentDaemon } from './daemon-link.ts';

/** What a daemon that does not answer is, and what to do about it. */
export interface SilentDaemonText {
  readonly problem: string;
  readonly next: string;
}

/** Describes a daemon, or an agent's process, that is there and does not answer. */
export function describeSilent(
  { silent, pid, record }: SilentDaemon,
  what = 'The daemon',
  restart = 'oka up',
): SilentDaemonText {
  if (pid === undefined) {
    return {
      problem: `${what} does not answer, and ${record} names no process that exists.`,
      next: `Find the process that listens and end it, then run: ${restart}`,
    };
  }
  const end = `end it with: kill -9 ${pid}, then run: ${restart}`;
  if (silent === 'stopped') {
    return {
      problem: `${what} is stopped: process ${pid} is suspended.`,
      next: `Continue it with: kill -CONT ${pid}. Or ${end}`,
    };
  }
  return { problem: `${what} does not answer: process ${pid}.`, next: `If that lasts, ${end}` };
}

/** The error of a command that needs the process to answer. What the process did is on record. */
export function silentError(found: SilentDaemon, what?: string, restart?: string): OkaError {
  const { problem, next } = describeSilent(found, what, restart);
  const { silent: state, pid } = found;
  return new OkaError('daemon.unreachable', `${problem} ${next}.`, {
    data: { state, ...(pid === undefined ? {} : { pid }) },
  });
}
