import { constants, copyFileSync, fstatSync, ftruncateSync, lstatSync, rmSync } from 'node:fs';
import { type Clock, spanIdOf, traceIdOf } from '../kernel/index.ts';

type LogLevel = 'info' | 'warning';

/** Writes one line of JSON per log entry. */
export type DaemonLog = (level: LogLevel, what: string, more?: Readonly<Record<string, unknown>>) => void;

const MAX_LOG_BYTES = 1_048_576;
const CHECK_AFTER_CHARACTERS = 65_536;
const STANDARD_OUTPUT = 1;

export interface PrintedLogParts {
  readonly clock: Clock;
  /** Redacts secrets. */
  readonly hide: (text: string) => string;
  /** The log file that stdout is redirected to, if any. */
  readonly file?: () => string | undefined;
  /** Whether lines have the fields that log collectors expect, with the ids of a run's trace. */
  readonly forCollectors?: () => boolean;
}

/** Logs to stdout and rotates a large log file. */
export function printedLog({
  clock,
  hide,
  file = () => undefined,
  forCollectors = () => false,
}: PrintedLogParts): DaemonLog {
  let printed = 0;
  return (level, what, more = {}) => {
    const at = new Date(clock.now()).toISOString();
    const entry = forCollectors() ? collectorEntry(at, level, what, more) : { at, level, what, ...more };
    const line = hide(JSON.stringify(entry));
    try {
      process.stdout.write(`${line}\n`);
      printed += line.length;
      if (printed < CHECK_AFTER_CHARACTERS) return;
      printed = 0;
      const path = file();
      if (path !== undefined) rotateLog(path, STANDARD_OUTPUT);
    } catch {
      // A full disk or a closed terminal must not stop the daemon.
    }
  };
}

function collectorEntry(
  time: string,
  level: LogLevel,
  message: string,
  { run, root = run, ...fields }: Readonly<Record<string, unknown>>,
): object {
  const about =
    typeof run === 'string' && typeof root === 'string'
      ? { run, trace_id: traceIdOf(root), span_id: spanIdOf(run) }
      : {};
  return { time, level, message, ...about, ...(Object.keys(fields).length === 0 ? {} : { fields }) };
}

/** Moves a large log to `<log>.old`, replacing an older one, and truncates it. Does nothing if the descriptor is another file. */
export function rotateLog(path: string, descriptor: number, maxBytes = MAX_LOG_BYTES): void {
  const { size, dev, ino } = fstatSync(descriptor);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (size <= maxBytes || found?.ino !== ino || found.dev !== dev) return;
  const old = `${path}.old`;
  // Removes a symbolic link as well.
  rmSync(old, { force: true });
  copyFileSync(path, old, constants.COPYFILE_EXCL);
  ftruncateSync(descriptor);
}
