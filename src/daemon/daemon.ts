// Owns: the lifecycle of a workspace's daemon: acquiring the lease, listening, working, shutting down. Does not own: what
// clients ask for.
import { join } from 'node:path';
import { checkedOka, type DaemonStatus, OkaError } from '../api/index.ts';
import { answersAreChecked, daemonSocket } from '../config/index.ts';
import { BACKGROUND_WARNING, systemClock, type Warn, type Warning } from '../kernel/index.ts';
import { Oka, type ServedTelemetry } from '../runtime/index.ts';
import { BackgroundWorkers } from './background-workers.ts';
import { Calls } from './calls.ts';
import { type DaemonLog, printedLog } from './daemon-log.ts';
import { freshSecrets } from './fresh-secrets.ts';
import { openWebServer } from './http/open-web-server.ts';
import type { WebServer } from './http/web-server.ts';
import { type Routes, routesOf } from './server.ts';
import { prepareSocketFolder, SocketServer } from './socket-server.ts';
import { Warnings } from './warnings.ts';
import { workersOf } from './workers.ts';

declare const __OKA_VERSION__: string;
declare const __OKA_BUILD__: string;

const RENEW_LEASE_MS = 30_000;
const CHECK_INTERVAL_MS = 1_000;
/** After this, another process recovers unfinished work as after a crash. */
const SHUTDOWN_TIMEOUT_MS = 4_000;

export interface DaemonOptions {
  readonly workspace: string;
  readonly home: string;
  /** Hosts only this agent. */
  readonly agent?: string;
}

/** Runs the daemon of a workspace, or the host of an agent, until the signal aborts. Calls `onReady` when it accepts calls. */
export async function runDaemon(
  options: DaemonOptions,
  signal: AbortSignal,
  onReady: () => void,
): Promise<void> {
  const clock = systemClock;
  let hide = (text: string): string => text;
  let logFile: string | undefined;
  let isForCollectors = false;
  const log = printedLog({
    clock,
    hide: (text) => hide(text),
    file: () => logFile,
    forCollectors: () => isForCollectors,
  });
  const warnings = new Warnings({ clock, hide: (text) => hide(text) });
  const onWarning = (warning: Warning): void => {
    warnings.add(warning);
    if (warning.isOver && warning.topic !== undefined) workers.recover(warning.topic);
    log(warning.isOver ? 'info' : 'warning', warning.message);
  };
  const warn: Warn = (message, about) => onWarning({ code: BACKGROUND_WARNING, ...about, message });
  const workers = new BackgroundWorkers({ clock, log, hide: (text) => hide(text) });
  const oka = new Oka({ ...options, onWarning });
  hide = (text) => oka.redact(text);
  const lease = await oka.processLease(options.agent);
  logFile = lease.log;
  try {
    await lease.acquire();
  } catch (error) {
    await oka.close();
    throw error;
  }
  const place = daemonSocket(options);
  const startedAt = clock.now();
  const secrets = freshSecrets(join(options.workspace, '.oka', 'vault'), () => oka.learnSecrets());
  const calls = new Calls(answersAreChecked() ? checkedOka(oka) : oka, secrets);
  let server: SocketServer | undefined;
  let web: WebServer | undefined;
  let checking: NodeJS.Timeout | undefined;
  try {
    await secrets();
    const telemetry = await openTelemetry(oka, log, options.agent === undefined);
    isForCollectors = telemetry?.jsonLogs === true;
    const status = (): DaemonStatus => ({
      pid: process.pid,
      version: __OKA_VERSION__,
      build: __OKA_BUILD__,
      workspace: options.workspace,
      startedAt,
      log: lease.log,
      ...(web === undefined ? {} : { web: web.url }),
      calls: calls.count,
      workers: workers.status,
      warnings: warnings.list,
    });
    const onNotify: Routes['onNotify'] = (mention) => void oka.chat.notify(mention).catch(() => undefined);
    const newLink: Routes['newLink'] = (to) => requireWeb(web).newLink(to);
    // The socket comes last: commands take an answer on it as a sign that everything is ready.
    prepareSocketFolder(place.folder);
    if (options.agent === undefined)
      web = await openWebServer({
        ...{ oka, calls, status, clock, ...options, socket: place.path, warn },
        ...(telemetry?.metrics === undefined ? {} : { metrics: telemetry.metrics }),
      });
    server = await SocketServer.open(routesOf({ calls, status, onNotify, newLink }), place);
    workers.start(workersOf(oka, log, options.agent));
    lease.announce();
    log('info', 'the daemon is ready', {
      socket: place.path,
      pid: process.pid,
      ...(web === undefined ? {} : { web: web.url }),
    });
    onReady();
    const { restore } = server;
    // Also loads new secrets for work that runs without a call.
    checking = checkRegularly([secrets, restore], warn);
    await until(signal, RENEW_LEASE_MS, () => lease.renew());
    log('info', 'the daemon stops');
  } finally {
    clearInterval(checking);
    setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS).unref();
    server?.close();
    web?.close();
    calls.stopListening();
    await Promise.all([oka.release(), workers.stop(), calls.idle()]);
    await Promise.all([server?.drain(), web?.drain()]);
    await lease.release();
    await oka.close();
  }
}

/** A configuration that cannot be read is reported by what needs it. */
async function openTelemetry(
  oka: Oka,
  log: DaemonLog,
  isDaemon: boolean,
): Promise<ServedTelemetry | undefined> {
  const telemetry = await oka.serveTelemetry({ isDaemon }).catch(() => undefined);
  if (telemetry?.jsonLogs) telemetry.onRunEnded((run) => log('info', 'run ended', run));
  return telemetry;
}

function requireWeb(web: WebServer | undefined): WebServer {
  if (web !== undefined) return web;
  const message = 'The daemon has no web server. For the reason, run: oka status';
  throw new OkaError('http.cannot_listen', message);
}

/** Runs checks at an interval. Reports a problem when it starts, not every time. */
function checkRegularly(checks: readonly (() => Promise<unknown>)[], warn: Warn): NodeJS.Timeout {
  const topic = 'daemon.check';
  let lastWarning: string | undefined;
  return setInterval(() => {
    void Promise.all(checks.map((check) => check())).then(
      () => {
        if (lastWarning !== undefined)
          warn('The daemon can check everything again.', { topic, isOver: true });
        lastWarning = undefined;
      },
      ({ message }: Error) => {
        if (message !== lastWarning) warn(message, { topic });
        lastWarning = message;
      },
    );
  }, CHECK_INTERVAL_MS);
}

/** Resolves when the signal aborts; renews the lease at an interval. */
async function until(signal: AbortSignal, everyMs: number, renew: () => Promise<boolean>): Promise<void> {
  let next: NodeJS.Timeout | undefined;
  let renewing: Promise<unknown> | undefined;
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
    next = setInterval(() => {
      renewing = renew().then(
        (isKept) => isKept || reject(new Error('another process has taken over as daemon')),
        // A locked database is released long before the lease expires.
        () => undefined,
      );
    }, everyMs);
  }).finally(() => clearInterval(next));
  // A renewal must not follow the release.
  await renewing;
}
