// Owns: the life of the one daemon of a workspace: taking the place, listening, working, letting go. Does not own: what is
// asked of it.
import type { Server } from 'node:http';
import { join } from 'node:path';
import { daemonSocket } from '../config/index.ts';
import { systemClock } from '../kernel/index.ts';
import { Oka } from '../runtime/index.ts';
import { BackgroundWorks } from './background-works.ts';
import { Calls } from './calls.ts';
import { printedLog } from './daemon-log.ts';
import { freshSecrets } from './fresh-secrets.ts';
import { listenOnSocket, routesOf } from './server.ts';
import { prepareSocketFolder, removalOf } from './socket-place.ts';
import { worksOf } from './works.ts';

declare const __OKA_VERSION__: string;
declare const __OKA_BUILD__: string;

const KEEP_SEAT_MS = 30_000;
const LOOK_FOR_SECRETS_MS = 1_000;
/** Whatever cannot be let go of by then is taken up by another process, as after a crash. */
const LAST_WORDS_MS = 4_000;

export interface DaemonOptions {
  readonly workspace: string;
  readonly home: string;
  /** Only answers for this agent. */
  readonly agent?: string;
}

/** Runs the daemon of a workspace, or the host of an agent, until the signal aborts. `onReady` is called when it can be asked. */
export async function runDaemon(
  options: DaemonOptions,
  signal: AbortSignal,
  onReady: () => void,
): Promise<void> {
  const clock = systemClock;
  let hide = (text: string): string => text;
  const log = printedLog(clock, (text) => hide(text));
  const tell = (what: string): void => log('trouble', what);
  const oka = new Oka({ ...options, onTrouble: tell, onMended: (what) => log('info', `mended ${what}`) });
  hide = (text) => oka.redact(text);
  const seat = await oka.hostSeat(options.agent);
  try {
    seat.take();
  } catch (error) {
    await oka.close();
    throw error;
  }
  const { folder, path } = daemonSocket(options);
  const startedAt = clock.now();
  const secrets = freshSecrets(join(options.workspace, '.oka', 'vault'), () => oka.learnSecrets());
  const calls = new Calls(oka, secrets);
  const works = new BackgroundWorks({ clock, log });
  let server: Server | undefined;
  let looking: NodeJS.Timeout | undefined;
  let removeSocket = (): void => undefined;
  try {
    await secrets();
    prepareSocketFolder(folder);
    const status = () => ({
      pid: process.pid,
      version: __OKA_VERSION__,
      build: __OKA_BUILD__,
      workspace: options.workspace,
      startedAt,
      log: seat.log,
      calls: calls.count,
      works: works.status,
    });
    server = await listenOnSocket(
      routesOf({ calls, status, onNotify: (bell) => void oka.chat.notify(bell).catch(() => undefined) }),
      path,
    );
    removeSocket = removalOf(path);
    works.start(worksOf(oka, log, options.agent));
    seat.announce();
    log('info', 'the daemon is ready', { socket: path, pid: process.pid });
    onReady();
    // For what is done without a call.
    looking = setInterval(
      () => void secrets().catch((error: Error) => tell(error.message)),
      LOOK_FOR_SECRETS_MS,
    );
    await until(signal, KEEP_SEAT_MS, () => seat.keep());
    log('info', 'the daemon stops');
  } finally {
    clearInterval(looking);
    setTimeout(() => process.exit(0), LAST_WORDS_MS).unref();
    const closed = new Promise<void>((resolve) => server?.close(() => resolve()) ?? resolve());
    calls.stopListening();
    await Promise.all([oka.letGo(), works.stop(), calls.idle()]);
    server?.closeIdleConnections();
    await closed;
    removeSocket();
    seat.leave();
    await oka.close();
  }
}

/** Resolves when the signal aborts; says every so often that this process is there. */
async function until(signal: AbortSignal, everyMs: number, keep: () => boolean): Promise<void> {
  let next: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
    next = setInterval(() => {
      try {
        if (!keep()) reject(new Error('another process has taken the place of the daemon'));
      } catch {
        // Whoever locks the database now will be done before the place is lost.
      }
    }, everyMs);
  }).finally(() => clearInterval(next));
}
