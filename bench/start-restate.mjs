import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, LOOPBACK } from './subjects/free-port.mjs';

const READY_WITHIN_MS = 60_000;

/** The server asks a host outside for its newest release, whatever its settings say, so it gets no name servers. */
function withoutNames(program) {
  const hidden = ['--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/etc/resolv.conf', '--die-with-parent'];
  const hasSandbox = spawnSync('bwrap', [...hidden, 'true']).status === 0;
  return hasSandbox ? ['bwrap', ...hidden, program] : [program];
}

/**
 * Starts a Restate server in an empty folder, on the loopback interface. All is as Restate has it by default. Answers with
 * its addresses, the folder of its data and the way to stop it.
 */
export async function startRestate(folder) {
  const ports = { ingress: await freePort(), admin: await freePort(), node: await freePort() };
  const packageFile = createRequire(import.meta.url).resolve(
    `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`,
  );
  const [program, ...before] = withoutNames(join(dirname(packageFile), 'bin', 'restate-server'));
  const data = join(folder, 'data');
  const temporary = join(folder, 'tmp');
  for (const made of [data, temporary]) mkdirSync(made);
  const place = ['--bind-ip', LOOPBACK, '--bind-port', String(ports.node)];
  const server = spawn(
    program,
    [...before, '--no-logo', '--listen-mode', 'tcp', '--base-dir', data, ...place],
    {
      env: {
        PATH: process.env.PATH,
        TMPDIR: temporary,
        DO_NOT_TRACK: '1',
        RESTATE_DISABLE_TELEMETRY: 'true',
        RESTATE_LOG_FILTER: 'error',
        RESTATE_INGRESS__BIND_PORT: String(ports.ingress),
        RESTATE_ADMIN__BIND_PORT: String(ports.admin),
      },
      stdio: 'ignore',
    },
  );
  const end = () => server.kill('SIGKILL');
  process.prependListener('exit', end); // Before its folder is removed.
  const ended = new Promise((resolve) => server.on('close', resolve)).then(() => process.off('exit', end));
  const stop = async () => {
    end();
    await ended;
  };
  const address = (port) => `http://${LOOPBACK}:${port}`;
  const [ingress, admin] = [address(ports.ingress), address(ports.admin)];
  await Promise.race([
    untilReady([`${admin}/health`, `${ingress}/restate/health`]),
    ended.then(() => Promise.reject(new Error('Restate ended'))),
  ]).catch(async (error) => {
    await stop();
    throw error;
  });
  return { ingress, admin, data, pid: server.pid, stop };
}

async function untilReady(urls) {
  for (const giveUpAt = Date.now() + READY_WITHIN_MS; ; await sleep(100)) {
    const answers = await Promise.allSettled(urls.map((url) => fetch(url)));
    if (answers.every(({ value }) => value?.ok)) return;
    if (Date.now() > giveUpAt)
      throw new Error(`Restate was not ready after ${READY_WITHIN_MS / 1_000} seconds`);
  }
}
