// Owns: the life of the one daemon of a workspace: taking the place, listening, working, letting go. Does not own: what is
// asked of it.
import { join } from 'node:path';
import { checkedOka } from '../api/index.ts';
import { answersAreChecked, daemonSocket } from '../config/index.ts';
import { systemClock } from '../kernel/index.ts';
import { Oka } from '../runtime/index.ts';
import { BackgroundWorkers } from './background-workers.ts';
import { Calls } from './calls.ts';
import { printedLog } from './daemon-log.ts';
import { freshSecrets } from './fresh-secrets.ts';
import { type Routes, routesOf } from './server.ts';
import { SocketDoor } from './socket-door.ts';
import { Warnings } from './warnings.ts';
import { workersOf } from './workers.ts';

declare const __OKA_VERSION__: string;
declare const __OKA_BUILD__: string;

const KEEP_SEAT_MS = 30_000;
const LOOK_AROUND_MS = 1_000;
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
  let logFile: string | undefined;
  const log = printedLog({ clock, hide: (text) => hide(text), file: () => logFile });
  const warnings = new Warnings({ clock, hide: (text) => hide(text) });
  const tell = (what: string): void => {
    warnings.add(what);
    log('warning', what);
  };
  const oka = new Oka({ ...options, onTrouble: tell, onRepaired: tell });
  hide = (text) => oka.redact(text);
  const seat = await oka.hostSeat(options.agent);
  logFile = seat.log;
  try {
    seat.take();
  } catch (error) {
    await oka.close();
    throw error;
  }
  const place = daemonSocket(options);
  const startedAt = clock.now();
  const secrets = freshSecrets(join(options.workspace, '.oka', 'vault'), () => oka.learnSecrets());
  const calls = new Calls(answersAreChecked() ? checkedOka(oka) : oka, secrets);
  const workers = new BackgroundWorkers({ clock, log, hide: (text) => hide(text) });
  let door: SocketDoor | undefined;
  let looking: NodeJS.Timeout | undefined;
  try {
    await secrets();
    const status = () => ({
      pid: process.pid,
      version: __OKA_VERSION__,
      build: __OKA_BUILD__,
      workspace: options.workspace,
      startedAt,
      log: seat.log,
      calls: calls.count,
      workers: workers.status,
      warnings: warnings.list,
    });
    const onNotify: Routes['onNotify'] = (bell) => void oka.chat.notify(bell).catch(() => undefined);
    door = await SocketDoor.open(routesOf({ calls, status, onNotify }), place);
    workers.start(workersOf(oka, log, options.agent));
    seat.announce();
    log('info', 'the daemon is ready', { socket: place.path, pid: process.pid });
    onReady();
    const { mend } = door;
    // Secrets are looked for here for what is done without a call.
    looking = lookAround([secrets, mend], tell);
    await until(signal, KEEP_SEAT_MS, () => seat.keep());
    log('info', 'the daemon stops');
  } finally {
    clearInterval(looking);
    setTimeout(() => process.exit(0), LAST_WORDS_MS).unref();
    door?.shut();
    calls.stopListening();
    await Promise.all([oka.letGo(), workers.stop(), calls.idle()]);
    await door?.leave();
    seat.leave();
    await oka.close();
  }
}

/** Looks every so often. What goes wrong is told when it begins, and not each time. */
function lookAround(
  looks: readonly (() => Promise<unknown>)[],
  tell: (what: string) => void,
): NodeJS.Timeout {
  let told: string | undefined;
  return setInterval(() => {
    void Promise.all(looks.map((look) => look())).then(
      () => {
        told = undefined;
      },
      ({ message }: Error) => {
        if (message !== told) tell(message);
        told = message;
      },
    );
  }, LOOK_AROUND_MS);
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
