import type { DaemonStatus, DaemonWorker } from '../api/index.ts';
import { isOfThisBuild } from './daemon-link.ts';
import { showTime, table } from './format.ts';
import { visible } from './printer.ts';

export function showDaemon(status: DaemonStatus): string {
  // A worker that stopped without an error is not configured, such as replication.
  const workers = status.workers
    .filter(({ status: state, lastError }) => state !== 'stopped' || lastError !== undefined)
    .map((worker) => [worker.name, showState(worker), showAt(worker.lastSuccessAt), showError(worker)]);
  return [
    `Daemon running: process ${status.pid}, since ${showTime(status.startedAt)}, ${status.calls} active ${status.calls === 1 ? 'call' : 'calls'}`,
    ...(isOfThisBuild(status)
      ? []
      : [`It runs another build of Oka (${status.version}). Restart it: oka down, then oka up`]),
    `Log: ${status.log}`,
    table(['worker', 'status', 'last success', 'last error'], workers),
    ...status.warnings.map(
      ({ message, since, count }) => `! warning since ${showTime(since)}${times(count)}: ${visible(message)}`,
    ),
  ].join('\n');
}

function showState({ status }: DaemonWorker): string {
  return status === 'failing' ? '✗ failing' : status;
}

export function showError({ lastError, nextTryAt }: DaemonWorker): string {
  if (lastError === undefined) return '';
  const { message, code, since, count, recoveredAt } = lastError;
  const what = visible(`${message} (${code})`);
  if (recoveredAt !== undefined) return `recovered ${showTime(recoveredAt)}: ${what}`;
  const next = nextTryAt === undefined ? '' : `, next try ${showTime(nextTryAt)}`;
  return `since ${showTime(since)}${times(count)}${next}: ${what}`;
}

function times(count: number): string {
  return count === 1 ? '' : `, ${count} times`;
}

function showAt(at: number | undefined): string {
  return at === undefined ? 'not yet' : showTime(at);
}
