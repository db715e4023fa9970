import { lstatSync } from 'node:fs';
import { request } from 'node:http';

const TIMEOUT_MS = 1_000;

/** Notifies a host on a socket that work is queued. Fire and forget: the work is stored in the ledger, so nothing is lost. */
export function notifySocket(path: string, notification: object): void {
  if (!isSocket(path)) return;
  const outgoing = request({
    socketPath: path,
    path: '/v1/notify',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    timeout: TIMEOUT_MS,
  });
  outgoing.on('error', () => undefined);
  outgoing.on('timeout', () => outgoing.destroy());
  outgoing.on('response', (response) => response.resume());
  outgoing.end(JSON.stringify(notification));
}

/** Also false if a parent is no folder. */
function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}
