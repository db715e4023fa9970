import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { whenReady } from './server-process.mjs';
import { freePort, LOOPBACK } from './subjects/free-port.mjs';

/**
 * Starts a Redis server of its own in an empty folder, reachable on the loopback interface with a password: the
 * machine's `redis-server`, because no npm package carries one that runs everywhere. All is as Redis has it by default
 * but what the settings say. Answers with its address and the way to stop it.
 */
export async function startRedis(folder, settings = {}) {
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  const all = { bind: LOOPBACK, port, dir: `"${folder}"`, requirepass: password, ...settings };
  // With a dash it takes its configuration from stdin.
  const server = spawn('redis-server', ['-'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  const becomesReady = whenReady(server, {
    name: 'redis-server',
    output: 'stdout',
    ready: 'Ready to accept connections',
    endWith: 'SIGKILL',
  });
  server.stdin.on('error', () => undefined); // It has ended; `becomesReady` tells why.
  server.stdin.end(
    Object.entries(all)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  const stop = await becomesReady.catch((error) => {
    throw new Error(`${error.message}; BullMQ needs a Redis, as with: apt-get install redis-server`);
  });
  return { url: `redis://:${password}@${LOOPBACK}:${port}`, stop };
}
