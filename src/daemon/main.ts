// The daemon's entry point: `daemon.cjs <workspace> <home> [agent]`. Reports over IPC that it is ready, or why it failed to start.
import { isOkaError } from '../api/index.ts';
import { createRedactor } from '../kernel/index.ts';
import { runDaemon } from './daemon.ts';

const [workspace = '.', home = '.', agent] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
// Survives the terminal that started it.
process.on('SIGHUP', () => undefined);

// The reader of the output may exit, and the disk may be full.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const report = (message: object): void => {
  // The parent may have exited. Without a callback, a failed send would end the daemon.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

runDaemon({ workspace, home, ...(agent === undefined ? {} : { agent }) }, stop.signal, () =>
  report({ ready: true }),
).catch((error: Error) => {
  const { message, stack } = error;
  report(isOkaError(error) ? error.toJSON() : { code: 'cli.unexpected', message, data: {} });
  // An error with a code was reported and is no bug.
  if (!isOkaError(error)) process.stderr.write(`${createRedactor().text(stack ?? message)}\n`);
  process.exitCode = 1;
});
