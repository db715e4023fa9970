import type { Clock } from '../kernel/index.ts';

type LogLevel = 'info' | 'trouble';

/** Writes down what a daemon does, a line of JSON for each thing. */
export type DaemonLog = (level: LogLevel, what: string, more?: Readonly<Record<string, unknown>>) => void;

/** A log that goes where the process prints to. `hide` takes secrets out. */
export function printedLog(clock: Clock, hide: (text: string) => string): DaemonLog {
  return (level, what, more = {}) => {
    const line = JSON.stringify({ at: new Date(clock.now()).toISOString(), level, what, ...more });
    try {
      process.stdout.write(`${hide(line)}\n`);
    } catch {
      // A disk that is full, or a terminal that is gone, keeps the daemon from nothing else.
    }
  };
}
