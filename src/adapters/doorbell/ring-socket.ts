import { lstatSync } from 'node:fs';
import { request } from 'node:http';

const LONGEST_RING_MS = 1_000;

/**
 * Rings at a host that listens on a socket: it answers at once and looks for what waits. Nobody waits for this and nothing
 * is lost with it, because what is rung for stands in the ledger.
 */
export function ringSocket(path: string, bell: object): void {
  if (!isSocket(path)) return;
  const ringing = request({
    socketPath: path,
    path: '/v1/notify',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    timeout: LONGEST_RING_MS,
  });
  ringing.on('error', () => undefined);
  ringing.on('timeout', () => ringing.destroy());
  ringing.on('response', (response) => response.resume());
  ringing.end(JSON.stringify(bell));
}

/** False also where what should be a folder on the way is none. */
function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}
