import { constants, copyFileSync, fstatSync, ftruncateSync, lstatSync, rmSync } from 'node:fs';
import type { Clock } from '../kernel/index.ts';

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
}

/** Logs to stdout and rotates a large log file. */
export function printedLog({ clock, hide, file = () => undefined }: PrintedLogParts): DaemonLog {
  let printed = 0;
  return (level, what, more = {}) => {
    const line = hide(JSON.stringify({ at: new Date(clock.now()).toISOString(), level, what, ...more }));
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
