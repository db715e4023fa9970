import type { DaemonStatus, DaemonWorker } from '../api/index.ts';
import { isOfThisBuild } from './daemon-link.ts';
import { showTime, table } from './format.ts';
import { visible } from './printer.ts';

/** A daemon that answers, with its workers and its warnings. */
export function showDaemon(status: DaemonStatus): string {
  // A worker that has ended without an error had nothing to do, as replication that is not configured.
  const workers = status.workers
    .filter(({ status: state, lastError }) => state !== 'stopped' || lastError !== undefined)
    .map((worker) => [worker.name, showState(worker), showAt(worker.lastSuccessAt), showError(worker)]);
  return [
    `the daemon runs: process ${status.pid}, since ${showTime(status.startedAt)}, ${status.calls} ${status.calls === 1 ? 'call' : 'calls'} under way`,
    ...(isOfThisBuild(status)
      ? []
      : [`it is of another build of Oka (${status.version}); restart it with: oka down, then oka up`]),
    `its log: ${status.log}`,
    table(['worker', 'status', 'last success', 'last error'], workers),
    ...status.warnings.map(
      ({ message, since, count }) => `! warning since ${showTime(since)}${times(count)}: ${visible(message)}`,
    ),
  ].join('\n');
}

function showState({ status }: DaemonWorker): string {
  return status === 'failing' ? '✗ failing' : status;
}

/** What a worker failed with, for how long, and what comes next. */
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
