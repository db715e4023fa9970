// The program of the daemon: `daemon.js <workspace> <home> [agent]`. Whoever starts it hears over a channel that it is ready, or why
// it could not begin.
import { isOkaError } from '../api/index.ts';
import { createRedactor } from '../kernel/index.ts';
import { runDaemon } from './daemon.ts';

const [workspace = '.', home = '.', agent] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
// The terminal that it was started from may go.
process.on('SIGHUP', () => undefined);

// Whoever reads what is printed may go, and the disk may be full.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const tell = (message: object): void => {
  if (process.connected) process.send?.(message);
};

try {
  await runDaemon({ workspace, home, ...(agent === undefined ? {} : { agent }) }, stop.signal, () =>
    tell({ ready: true }),
  );
} catch (error) {
  const { message, stack } = error as Error;
  tell(isOkaError(error) ? error.toJSON() : { code: 'cli.unexpected', message, data: {} });
  // What has a code was told, and is no fault of the program.
  if (!isOkaError(error)) process.stderr.write(`${createRedactor().text(stack ?? message)}\n`);
  process.exitCode = 1;
}
