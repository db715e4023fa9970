import { constants, copyFileSync, fstatSync, ftruncateSync, lstatSync, rmSync } from 'node:fs';
import type { Clock } from '../kernel/index.ts';

type LogLevel = 'info' | 'warning';

/** Writes down what a daemon does, a line of JSON for each thing. */
export type DaemonLog = (level: LogLevel, what: string, more?: Readonly<Record<string, unknown>>) => void;

const LARGEST_LOG_BYTES = 1_048_576;
const LOOK_AFTER_CHARACTERS = 65_536;
const STANDARD_OUTPUT = 1;

/** What a log is made of. */
export interface PrintedLogParts {
  readonly clock: Clock;
  /** Takes secrets out. */
  readonly hide: (text: string) => string;
  /** The file that what is printed goes to, if it goes to one of ours. */
  readonly file?: () => string | undefined;
}

/** A log that goes where the process prints to. Of what has grown large the newer half is kept. */
export function printedLog({ clock, hide, file = () => undefined }: PrintedLogParts): DaemonLog {
  let printed = 0;
  return (level, what, more = {}) => {
    const line = hide(JSON.stringify({ at: new Date(clock.now()).toISOString(), level, what, ...more }));
    try {
      process.stdout.write(`${line}\n`);
      printed += line.length;
      if (printed < LOOK_AFTER_CHARACTERS) return;
      printed = 0;
      const path = file();
      if (path !== undefined) turnLog(path, STANDARD_OUTPUT);
    } catch {
      // A disk that is full, or a terminal that is gone, keeps the daemon from nothing else.
    }
  };
}

/**
 * Moves what stands in a large log to `<log>.old`, in the place of what was there, and begins anew. Whatever is open under the
 * descriptor and is not that file is left alone.
 */
export function turnLog(path: string, descriptor: number, largestBytes = LARGEST_LOG_BYTES): void {
  const { size, dev, ino } = fstatSync(descriptor);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (size <= largestBytes || found?.ino !== ino || found.dev !== dev) return;
  const old = `${path}.old`;
  // A link that stands there goes.
  rmSync(old, { force: true });
  copyFileSync(path, old, constants.COPYFILE_EXCL);
  ftruncateSync(descriptor);
}
